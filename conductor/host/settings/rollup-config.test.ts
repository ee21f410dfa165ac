import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/core/errors';
import { rollupConfig } from '#conductor/dev-sequencer/chain-spec';
import { blockTimeSeconds } from './rollup-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'conductor-rollup-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fromFile(content: string): number {
  const path = join(folder, 'rollup.json');
  writeFileSync(path, content);
  return blockTimeSeconds('', path);
}

describe('--network', () => {
  test.each([
    ['op-mainnet', 2],
    ['mainnet', 2],
    ['sepolia', 2],
    ['OP-Sepolia', 2],
    ['unichain-mainnet', 1],
    ['swan-mainnet', 5],
    ['cyber-sepolia', 10],
    ['base-mainnet', 2],
  ])('%s has a block every %i s', (name, seconds) => expect(blockTimeSeconds(name, '')).toBe(seconds));

  test('an unknown name is refused, with the one that may be meant; names of objects are unknown too', () => {
    expect(() => blockTimeSeconds('unichian-mainnet', '')).toThrow(
      /invalid network: "unichian-mainnet" \(did you mean unichain-mainnet\?/,
    );
    expect(() => blockTimeSeconds('zzz', '')).toThrow(/known are automata-mainnet, /);
    expect(() => blockTimeSeconds('constructor', '')).toThrow(ConfigError);
  });

  test('wins over --rollup.config, which need not be there', () =>
    expect(blockTimeSeconds('ink-mainnet', '/nowhere/rollup.json')).toBe(1));
});

describe('--rollup.config', () => {
  const whole = rollupConfig({ genesisTime: 1_700_000_000, blockSeconds: 3, chainId: 901 }, `0x${'a1'.repeat(32)}`);
  type Part = Record<string, unknown>;
  const genesis = whole['genesis'] as Part;
  const system = genesis['system_config'] as Part;
  const withGenesis = (part: Part): string => JSON.stringify({ ...whole, genesis: { ...genesis, ...part } });
  const withSystem = (part: Part): string => withGenesis({ system_config: { ...system, ...part } });
  const changed = (part: Part): string => JSON.stringify({ ...whole, ...part });
  const zero = (bytes: number): string => `0x${'00'.repeat(bytes)}`;

  test('gives the block time; unknown fields and absent forks are of no concern', () => {
    expect(fromFile(JSON.stringify(whole))).toBe(3);
    expect(fromFile(changed({ else: { a: 1 }, holocene_time: null, isthmus_time: undefined }))).toBe(3);
  });

  test.each([
    ['no block time', changed({ block_time: 0 }), /block time cannot be 0/],
    ['an empty object', '{}', /block time cannot be 0/],
    [
      'a number in quotes',
      changed({ block_time: '2' }),
      /decode rollup config: block_time is "2", want a whole number/,
    ],
    ['a fraction', changed({ block_time: 1.5 }), /block_time is 1.5/],
    ['a negative number', changed({ block_time: -1 }), /block_time is -1/],
    ['no channel timeout', changed({ channel_timeout: undefined }), /channel timeout must be set/],
    ['a short window', changed({ seq_window_size: 1 }), /sequencing window size must at least be 2/],
    ['no window', changed({ seq_window_size: undefined }), /sequencing window size must at least be 2/],
    ['no drift', changed({ max_sequencer_drift: undefined }), /maximum sequencer drift/],
    ['no genesis', changed({ genesis: undefined }), /genesis L1 hash cannot be empty/],
    ['a genesis that is none', changed({ genesis: [] }), /decode rollup config: genesis is/],
    ['no L1 genesis', withGenesis({ l1: { hash: zero(32) } }), /genesis L1 hash cannot be empty/],
    ['no L2 genesis', withGenesis({ l2: {} }), /genesis L2 hash cannot be empty/],
    ['a short hash', withGenesis({ l2: { hash: '0x12' } }), /hash is "0x12", want 32 bytes/],
    ['one genesis for both', withGenesis({ l1: genesis['l2'] }), /L1 and L2 genesis cannot be the same/],
    ['no genesis time', withGenesis({ l2_time: 0 }), /missing L2 genesis time/],
    ['no batcher', withSystem({ batcherAddr: zero(20) }), /batcher address/],
    ['no scalar', withSystem({ scalar: undefined }), /system config scalar/],
    ['no gas limit', withSystem({ gasLimit: 0 }), /gas limit/],
    ['no batch inbox', changed({ batch_inbox_address: zero(20) }), /missing batch inbox address/],
    ['no deposit contract', changed({ deposit_contract_address: undefined }), /missing deposit contract address/],
    ['a system config address that is none', changed({ l1_system_config_address: 7 }), /l1_system_config_address is 7/],
    ['no L1 chain id', changed({ l1_chain_id: null }), /L1 chain ID must not be nil/],
    ['no L2 chain id', changed({ l2_chain_id: undefined }), /L2 chain ID must not be nil/],
    ['one chain id for both', changed({ l1_chain_id: 901 }), /chain IDs must be different/],
    ['chain id 0', changed({ l2_chain_id: 0 }), /non-zero and positive/],
    [
      'a fork without the one before',
      changed({ delta_time: null }),
      /ecotone set \(to 0\), but prior fork delta missing/,
    ],
    [
      'a fork before the one before',
      changed({ fjord_time: 9 }),
      /granite set to 0, but prior fork fjord has higher offset 9/,
    ],
    ['a fork time in quotes', changed({ jovian_time: 'x' }), /jovian_time is "x"/],
    ['half an object', '{', /failed to decode rollup config: .*rollup\.json is not JSON/],
    ['an array', '[]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['nothing', '', /is not JSON/],
  ])('%s is refused in a sentence', (_, content, message) => {
    expect(() => fromFile(content)).toThrow(ConfigError);
    expect(() => fromFile(content)).toThrow(message);
  });

  test('says which file could not be read and what to give instead', () => {
    expect(() => blockTimeSeconds('', '')).toThrow(/open : no such file or directory .*--network=<name>/);
    expect(() => blockTimeSeconds('', join(folder, 'no.json'))).toThrow(/open .*no\.json: no such file or directory/);
    expect(() => blockTimeSeconds('', folder)).toThrow(/is a directory/);
  });
});
