import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/errors';
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
  test('gives the block time; unknown fields are of no concern', () => {
    expect(fromFile('{"block_time":3}')).toBe(3);
    expect(fromFile('{"block_time":1,"seq_window_size":3600,"l1_chain_id":1,"l2_chain_id":10,"else":{"a":1}}')).toBe(1);
  });

  test.each([
    ['{}', /block time cannot be 0/],
    ['{"block_time":0}', /block time cannot be 0/],
    ['{"block_time":"2"}', /decode rollup config: block_time is "2", want a whole number/],
    ['{"block_time":1.5}', /block_time is 1.5/],
    ['{"block_time":-1}', /block_time is -1/],
    ['{"block_time":2,"seq_window_size":1}', /sequencing window size must at least be 2/],
    ['{"block_time":2,"max_sequencer_drift":0}', /maximum sequencer drift/],
    ['{"block_time":2,"l1_chain_id":10,"l2_chain_id":10}', /chain IDs must be different/],
    ['{"block_time":2,"l2_chain_id":0}', /must be greater than 0/],
    ['{', /failed to decode rollup config: .*rollup\.json is not JSON/],
    ['[]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['', /is not JSON/],
  ])('%s is refused in a sentence', (content, message) => {
    expect(() => fromFile(content)).toThrow(ConfigError);
    expect(() => fromFile(content)).toThrow(message);
  });

  test('says which file could not be read and what to give instead', () => {
    expect(() => blockTimeSeconds('', '')).toThrow(/open : no such file or directory .*--network=<name>/);
    expect(() => blockTimeSeconds('', join(folder, 'no.json'))).toThrow(/open .*no\.json: no such file or directory/);
    expect(() => blockTimeSeconds('', folder)).toThrow(/is a directory/);
  });
});
