/** What counts as the same output, and what does not. */
import { describe, expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

const hash = (digit: string): string => `0x${digit.repeat(64)}`;

describe('two outputs have one shape', () => {
  test.each([
    ['whatever the hashes are', `"${hash('a')}"`, `"${hash('b')}"`],
    ['whatever the block number is', '57\n', '1204\n'],
    ['whatever the quantity is', '"number":"0x39"', '"number":"0x1a4"'],
    ['whatever the version is', '{"servers":[],"version":9}', '{"servers":[],"version":12}'],
    ['whatever the time is', 't=2026-11-21T18:00:00+0000 ok', 't=2027-01-02T03:04:05+0000 ok'],
    [
      'whatever a metric of a block is',
      'op_conductor_committed_block_number 6',
      'op_conductor_committed_block_number 12',
    ],
    ['whatever the latest version is', 'changed since 1 (latest is 9)', 'changed since 1 (latest is 10)'],
  ])('%s', (_what, one, other) => {
    expect(shapeOf(one)).toBe(shapeOf(other));
  });
});

describe('two outputs differ', () => {
  test.each([
    ['in a word', 'true', 'false'],
    ['in the kind of a value', `"${hash('a')}"`, '"0x12"'],
    ['in the length of bytes', hash('a'), `${hash('a')}00`],
    ['in a number that is none of a block', '{"suffrage":0}', '{"suffrage":1}'],
    ['in an error code', '"code":-32000', '"code":-32601'],
    ['in the number of lines', 'null\nnull', 'null'],
    ['in an address', '127.0.0.1:50050', '127.0.0.1:50051'],
  ])('%s', (_what, one, other) => {
    expect(shapeOf(one)).not.toBe(shapeOf(other));
  });
});
