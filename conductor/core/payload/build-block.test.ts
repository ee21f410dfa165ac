import { expect, test } from 'vitest';
import { blockHash } from './block-hash.ts';
import { buildBlock } from './build-block.ts';
import { formatEnvelope } from './envelope.ts';
import { parseEnvelope } from './parse-envelope.ts';
import { SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz } from './ssz.ts';

const genesis = buildBlock({ parent: null, timestamp: 1_700_000_000, transactions: [] });

test('a built block follows its parent and carries the hash of its fields', () => {
  const next = buildBlock({
    parent: genesis,
    timestamp: 1_700_000_001,
    transactions: [Uint8Array.of(1, 2, 3), new Uint8Array(5000)],
  });
  expect(next.executionPayload.blockNumber).toBe(1n);
  expect(next.executionPayload.parentHash).toEqual(genesis.executionPayload.blockHash);
  expect(next.executionPayload.blockHash).toEqual(blockHash(next));
});

test('a built block survives SSZ, as version 4, and JSON', () => {
  const block = buildBlock({ parent: genesis, timestamp: 1_700_000_001n, transactions: [Uint8Array.of(9)] });
  const ssz = encodeSsz(block);
  expect(ssz).not.toBeInstanceOf(SszError);
  expect(decodeSsz(ssz as Uint8Array)).toEqual({ version: 4, envelope: block });
  expect(parseEnvelope(JSON.parse(JSON.stringify(formatEnvelope(block))))).toEqual(block);
});

test('equal inputs build equal blocks; a salt or a timestamp tells them apart', () => {
  const build = (timestamp: number, salt?: Uint8Array): Uint8Array =>
    buildBlock({ parent: genesis, timestamp, transactions: [], ...(salt === undefined ? {} : { salt }) })
      .executionPayload.blockHash;
  expect(build(5)).toEqual(build(5));
  expect(build(5)).not.toEqual(build(6));
  expect(build(5)).not.toEqual(build(5, new Uint8Array(32).fill(1)));
});
