/**
 * What op-node's own check of a rollup configuration refuses, and so op-conductor: fields that are of
 * another type, missing or zero, chains that are the same, forks out of order. Unknown fields are allowed.
 */
import { ConfigError } from '#conductor/core/errors';

type Config = Record<string, unknown>;

const shownBytesMax = 60;
const forks = ['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus'];
/** Forks whose times have a type but no place in the order that op-node checks. */
const laterForks = ['jovian', 'karst', 'lagoon'];
const wholeNumbers = ['block_time', 'channel_timeout', 'seq_window_size', 'max_sequencer_drift'];
const chainIds = ['l1_chain_id', 'l2_chain_id'];

/** The block time in seconds of a configuration that op-conductor would start with; throws ConfigError. */
export function checkRollupConfig(config: Config): number {
  const times = [...forks, ...laterForks].map((fork) => `${fork}_time`);
  for (const name of [...wholeNumbers, ...chainIds, ...times]) wholeNumber(config, name);
  const seconds = wholeNumber(config, 'block_time');
  if (seconds === 0) invalid('block time cannot be 0 (block_time, in seconds, is missing or 0)');
  if (wholeNumber(config, 'channel_timeout') === 0)
    invalid('channel timeout must be set, this should cover at least a L1 block time (channel_timeout)');
  if (wholeNumber(config, 'seq_window_size') < 2) invalid('sequencing window size must at least be 2');
  if (wholeNumber(config, 'max_sequencer_drift') === 0) invalid('maximum sequencer drift must be greater than 0');
  checkGenesis(section(config, 'genesis', 'genesis'));
  if (isZero(hex(config, 'batch_inbox_address', 20))) invalid('missing batch inbox address (batch_inbox_address)');
  if (isZero(hex(config, 'deposit_contract_address', 20)))
    invalid('missing deposit contract address (deposit_contract_address)');
  hex(config, 'l1_system_config_address', 20);
  checkChainIds(config);
  checkForks(config);
  return seconds;
}

/** Says that a file could not be read as a rollup configuration. */
export function undecodable(why: string, cause?: unknown): never {
  throw new ConfigError(`failed to load rollup config: failed to decode rollup config: ${why}`, { cause });
}

function checkGenesis(genesis: Config): void {
  const l1 = section(genesis, 'l1', 'genesis.l1');
  const l2 = section(genesis, 'l2', 'genesis.l2');
  const [l1Hash, l2Hash] = [hex(l1, 'hash', 32), hex(l2, 'hash', 32)];
  wholeNumber(l1, 'number');
  wholeNumber(l2, 'number');
  if (isZero(l1Hash)) invalid('genesis L1 hash cannot be empty (genesis.l1.hash)');
  if (isZero(l2Hash)) invalid('genesis L2 hash cannot be empty (genesis.l2.hash)');
  if (l1Hash === l2Hash) invalid('L1 and L2 genesis cannot be the same block (genesis.l1.hash, genesis.l2.hash)');
  if (wholeNumber(genesis, 'l2_time') === 0) invalid('missing L2 genesis time (genesis.l2_time)');
  const system = section(genesis, 'system_config', 'genesis.system_config');
  const missing = (name: string, what: string): never =>
    invalid(`missing genesis system config ${what} (genesis.system_config.${name})`);
  if (isZero(hex(system, 'batcherAddr', 20))) missing('batcherAddr', 'batcher address');
  if (isZero(hex(system, 'scalar', 32))) missing('scalar', 'scalar');
  if (wholeNumber(system, 'gasLimit') === 0) missing('gasLimit', 'gas limit');
}

function checkChainIds(config: Config): void {
  const [l1, l2] = [config['l1_chain_id'] ?? null, config['l2_chain_id'] ?? null];
  if (l1 === null) invalid('L1 chain ID must not be nil (l1_chain_id)');
  if (l2 === null) invalid('L2 chain ID must not be nil (l2_chain_id)');
  if (l1 === l2) invalid('L1 and L2 chain IDs must be different');
  if (l1 === 0 || l2 === 0) invalid('L1 and L2 chain ID must be non-zero and positive');
}

/** Each fork needs the one before it, at the same time or earlier. */
function checkForks(config: Config): void {
  for (let at = 1; at < forks.length; at++) {
    const [before, fork] = [forks[at - 1]!, forks[at]!];
    const [earlier, later] = [config[`${before}_time`] ?? null, config[`${fork}_time`] ?? null];
    if (later === null) continue;
    if (earlier === null) invalid(`fork ${fork} set (to ${String(later)}), but prior fork ${before} missing`);
    if ((earlier as number) > (later as number))
      invalid(`fork ${fork} set to ${String(later)}, but prior fork ${before} has higher offset ${String(earlier)}`);
  }
}

function section(config: Config, name: string, path: string): Config {
  const value = config[name] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) undecodable(`${path} is ${shown(value)}, want an object`);
  return value as Config;
}

/** 0 where it is absent, as in Go. */
function wholeNumber(config: Config, name: string): number {
  const value = config[name] ?? 0;
  if (!Number.isInteger(value) || (value as number) < 0)
    undecodable(`${name} is ${shown(value)}, want a whole number of at least 0`);
  return value as number;
}

/** Lower-case hex digits of so many bytes; all zeros where it is absent, as in Go. */
function hex(config: Config, name: string, bytes: number): string {
  const value = config[name] ?? `0x${'00'.repeat(bytes)}`;
  const isHex = typeof value === 'string' && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);
  if (!isHex) undecodable(`${name} is ${shown(value)}, want ${bytes} bytes as 0x and hex digits`);
  return (value as string).toLowerCase();
}

function isZero(digits: string): boolean {
  return /^0x0*$/.test(digits);
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, shownBytesMax);
}

function invalid(why: string): never {
  throw new ConfigError(`invalid config: invalid rollup config: ${why}`);
}
