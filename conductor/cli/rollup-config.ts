/**
 * The one thing a conductor needs of its rollup: the block time, from --network or the file of
 * --rollup.config. It bounds waits for a commit in flight and for a freshly started sequencer. What else
 * the file says is checked where it is there, so that a file of another chain or kind is noticed.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/errors';
import { nearest } from './nearest.ts';
import { networkBlockSeconds, networkNames } from './networks.ts';

const configBytesMax = 1024 * 1024;

/** From --network or else the file of --rollup.config; throws ConfigError. */
export function blockTimeSeconds(network: string, rollupConfigPath: string): number {
  return network === '' ? blockTimeOf(readRollupConfig(rollupConfigPath)) : networkSeconds(network);
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

/** The block time of a config whose other fields, where given, can be those of a rollup. */
function blockTimeOf(config: Record<string, unknown>): number {
  for (const name of ['block_time', 'seq_window_size', 'max_sequencer_drift', 'l1_chain_id', 'l2_chain_id']) {
    const value = config[name];
    if (value !== undefined && value !== null && !(Number.isInteger(value) && (value as number) >= 0))
      undecodable(`${name} is ${JSON.stringify(value).slice(0, 60)}, want a whole number of at least 0`);
  }
  const seconds = (config['block_time'] ?? 0) as number;
  if (seconds === 0) invalid('block time cannot be 0 (block_time, in seconds, is missing or 0)');
  const window = config['seq_window_size'];
  if (typeof window === 'number' && window < 2) invalid('sequencing window size must at least be 2');
  if (config['max_sequencer_drift'] === 0) invalid('maximum sequencer drift must be greater than 0');
  const [l1, l2] = [config['l1_chain_id'], config['l2_chain_id']];
  if (l1 === 0 || l2 === 0) invalid('L1 and L2 chain ID must be greater than 0');
  if (typeof l1 === 'number' && l1 === l2) invalid('L1 and L2 chain IDs must be different');
  return seconds;
}

function unreadable(why: string, cause?: unknown): never {
  const hint = 'give --rollup.config=<file> or --network=<name>';
  throw new ConfigError(`failed to load rollup config: failed to read rollup config: ${why} (${hint})`, { cause });
}

function undecodable(why: string, cause?: unknown): never {
  throw new ConfigError(`failed to load rollup config: failed to decode rollup config: ${why}`, { cause });
}

function invalid(why: string): never {
  throw new ConfigError(`invalid config: invalid rollup config: ${why}`);
}
