/** What the conductor does with the engine API of its execution client, from the flags. */
import type { ValidationPolicy } from '#conductor/core/rpc/validation';
import { invalid, text, type Values } from './config-values.ts';
import { httpUrl } from './http-url.ts';

export interface EngineConfig {
  readonly url: string;
  /** Path of the secret's file. */
  readonly jwtSecretFile: string;
}

/** null when neither flag is given; throws ConfigError when only one is. */
export function engineConfig(values: Values): EngineConfig | null {
  const url = httpUrl(values, 'execution.engine-rpc', 'engine');
  const jwtSecretFile = text(values, 'execution.jwt-secret');
  if (url !== '' && jwtSecretFile === '')
    invalid('--execution.engine-rpc needs --execution.jwt-secret: the engine API answers nobody without a token');
  if (url === '' && jwtSecretFile !== '')
    invalid('--execution.jwt-secret needs --execution.engine-rpc, whose tokens it signs');
  return url === '' ? null : { url, jwtSecretFile };
}

/** Throws ConfigError where blocks are to be executed and there is nothing to execute them with. */
export function validationPolicy(values: Values): ValidationPolicy {
  const isConfigured = text(values, 'execution.engine-rpc') !== '';
  const given = text(values, 'consensus.validate');
  if (given === '') return isConfigured ? 'leader' : 'off';
  const policy = given as ValidationPolicy;
  if (policy !== 'off' && !isConfigured)
    invalid(
      `--consensus.validate=${policy} needs --execution.engine-rpc and --execution.jwt-secret: blocks are executed there`,
    );
  return policy;
}
