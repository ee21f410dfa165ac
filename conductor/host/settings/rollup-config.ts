/**
 * The one thing a conductor needs of its rollup: the block time, from --network or the file of
 * --rollup.config. It bounds waits for a commit in flight and for a freshly started sequencer. The file
 * is checked as a whole all the same, so that one of another chain or kind is noticed.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/core/errors';
import { nearest } from '#conductor/cli/nearest';
import { networkBlockSeconds, networkNames } from './networks.ts';
import { checkRollupConfig, undecodable } from './rollup-check.ts';

const configBytesMax = 1024 * 1024;

/** From --network or else the file of --rollup.config; throws ConfigError. */
export function blockTimeSeconds(network: string, rollupConfigPath: string): number {
  return network === '' ? checkRollupConfig(readRollupConfig(rollupConfigPath)) : networkSeconds(network);
}

function networkSeconds(network: string): number {
  const seconds = networkBlockSeconds(network);
  if (seconds !== null) return seconds;
  const meant = nearest(network, networkNames);
  const hint = meant === null ? `known are ${networkNames.join(', ')}` : `did you mean ${meant}?`;
  throw new ConfigError(
    `failed to load rollup config: invalid network: "${network}" (${hint}; for other chains give --rollup.config)`,
  );
}

function readRollupConfig(path: string): Record<string, unknown> {
  let content: string;
  try {
    if (statSync(path).size > configBytesMax) unreadable(`${path} has more than ${configBytesMax} bytes`);
    content = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof ConfigError) throw thrown;
    return unreadable(path === '' ? 'open : no such file or directory' : openError(path, thrown), thrown);
  }
  try {
    const parsed = JSON.parse(content) as unknown;
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (thrown) {
    return undecodable(`${path} is not JSON: ${messageOf(thrown)}`, thrown);
  }
  return undecodable(`${path} is not a JSON object`);
}

/** As Go words it: open <path>: no such file or directory. */
function openError(path: string, thrown: unknown): string {
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or directory',
    EACCES: 'permission denied',
    EISDIR: 'is a directory',
    ENOTDIR: 'not a directory',
  };
  const code = (thrown as { code?: unknown }).code;
  const why = typeof code === 'string' ? words[code] : undefined;
  return `open ${path}: ${why ?? messageOf(thrown)}`;
}

function unreadable(why: string, cause?: unknown): never {
  const hint = 'give --rollup.config=<file> or --network=<name>';
  throw new ConfigError(`failed to load rollup config: failed to read rollup config: ${why} (${hint})`, { cause });
}
