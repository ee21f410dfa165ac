/** Headers as a real op-geth answered them, from Ecotone to Jovian: their fields give their hash. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withOwnHash } from './header-hash.ts';

type Header = Record<string, unknown>;

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const headers = new Map<string, Header>();
collect(JSON.parse(readFileSync(join(folder, 'real-op-node-samples.json'), 'utf8')));
const [real] = headers.values() as Iterable<Header>;

/** Every block in the samples, once. */
function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('sha3Uncles' in value) headers.set(String((value as Header)['hash']), value as Header);
  for (const part of Object.values(value)) collect(part);
}

describe('a head is what its fields hash to', () => {
  test.each([...headers.keys()])('%s, whatever hash is claimed', (hash) => {
    const header = headers.get(hash)!;
    expect(withOwnHash(header)).toEqual(header);
    const { hash: _claim, ...unclaimed } = header;
    for (const claim of [{}, { hash: `0x${'11'.repeat(32)}` }, { hash: null }])
      expect(withOwnHash({ ...unclaimed, ...claim })).toEqual(header);
  });

  test('every field counts', () => {
    const { hash, ...fields } = real!;
    const flipped = (value: string): string => `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`;
    const hashed = Object.keys(fields).filter((name) => !/^(size|transactions|uncles|withdrawals)$/.test(name));
    expect(hashed.length).toBeGreaterThanOrEqual(20);
    for (const name of hashed)
      expect(withOwnHash({ ...fields, hash, [name]: flipped(fields[name] as string) })).not.toMatchObject({ hash });
  });
});

describe('what cannot be hashed is no header', () => {
  test.each([
    ['uncles', { sha3Uncles: `0x${'22'.repeat(32)}` }],
    ['a field missing', { stateRoot: undefined }],
    ['a short field', { receiptsRoot: '0x12' }],
    ['a field that is no hex', { miner: `0x${'zz'.repeat(20)}` }],
    ['a number as a number', { number: 7 }],
    ['a number without digits', { gasUsed: '0x' }],
    ['a number beyond any', { gasLimit: `0x1${'0'.repeat(64)}` }],
    ['extra data beyond the rules', { extraData: `0x${'00'.repeat(33)}` }],
    ['an optional field that is malformed', { withdrawalsRoot: '0x' }],
  ])('%s', (_, part) => {
    expect(withOwnHash({ ...real, ...part })).toMatchObject({ hash: null });
  });

  test('what is no object stays as it is', () => {
    for (const value of [null, 'x', 7, ['x']]) expect(withOwnHash(value)).toBe(value);
  });
});
