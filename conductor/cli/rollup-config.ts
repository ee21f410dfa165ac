/**
 * The one thing a conductor needs of its rollup: the block time. It bounds waits for a commit in flight
 * and for a freshly started sequencer.
 */
import { readFileSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/errors';

/** Known chains whose blocks do not come every two seconds, and those that do. */
const secondsByNetwork: Readonly<Record<string, number>> = {
  'op-mainnet': 2,
  'op-sepolia': 2,
  'base-mainnet': 2,
  'base-sepolia': 2,
  'mode-mainnet': 2,
  'mode-sepolia': 2,
  'zora-mainnet': 2,
  'zora-sepolia': 2,
  'unichain-mainnet': 1,
  'unichain-sepolia': 1,
  'ink-mainnet': 1,
  'ink-sepolia': 1,
};

/** From --network or else the file of --rollup.config; throws ConfigError. */
export function blockTimeSeconds(network: string, rollupConfigPath: string): number {
  if (network !== '') {
    const seconds = secondsByNetwork[network];
    return (
      seconds ??
      invalid(
        `invalid network: "${network}" (known are ${Object.keys(secondsByNetwork).join(', ')}; for others give --rollup.config)`,
      )
    );
  }
  const seconds = readRollupConfig(rollupConfigPath)['block_time'];
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0) return seconds;
  return invalid('invalid rollup config: block time cannot be 0');
}

function readRollupConfig(path: string): Record<string, unknown> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (thrown) {
    const why =
      path === ''
        ? 'open : no such file or directory (give --rollup.config=<file> or --network=<name>)'
        : messageOf(thrown);
    throw new ConfigError(`failed to load rollup config: failed to read rollup config: ${why}`, { cause: thrown });
  }
  try {
    const parsed = JSON.parse(content) as unknown;
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (thrown) {
    throw new ConfigError(`failed to load rollup config: failed to decode rollup config: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
  throw new ConfigError('failed to load rollup config: failed to decode rollup config: not a JSON object');
}

function invalid(message: string): never {
  throw new ConfigError(`invalid config: ${message}`);
}
