import { expect, it } from 'vitest';
import { Blocks } from './blocks.ts';
import { l1Attributes } from './l1-attributes.ts';

const origin = {
  number: 0x1234,
  hash: `0x${'ab'.repeat(32)}`,
  parentHash: `0x${'cd'.repeat(32)}`,
  timestamp: 0x65432100,
};

it('names the L1 block where op-node looks for it', () => {
  const transaction = l1Attributes(origin, 3, 9);
  // 0x7e, a list of 256 to 65535 bytes, and the call's 176 bytes at its end, after their own head of two bytes.
  expect([transaction[0], transaction[1]]).toEqual([0x7e, 0xf8 + 1]);
  expect((transaction[2]! << 8) | transaction[3]!).toBe(transaction.length - 4);
  const call = transaction.subarray(transaction.length - 176);
  expect([...transaction.subarray(transaction.length - 178, transaction.length - 176)]).toEqual([0xb8, 176]);
  expect(call.subarray(0, 4).toHex()).toBe('098999be');
  const view = new DataView(call.buffer, call.byteOffset);
  expect([view.getBigUint64(12), view.getBigUint64(20), view.getBigUint64(28)]).toEqual([3n, 0x65432100n, 0x1234n]);
  expect(call.subarray(100, 132).toHex()).toBe('ab'.repeat(32));
});

it('opens blocks only where they have one, and counts those of one origin', () => {
  const blocks = new Blocks(1, true);
  const first = blocks.build(blocks.genesis, 0, { origin });
  const second = blocks.build(first, 0, { origin });
  expect([first.sequenceNumber, second.sequenceNumber]).toEqual([0, 1]);
  expect(second).toMatchObject({ origin: 0x1234, originHash: origin.hash });
  expect(second.envelope.executionPayload.transactions).toHaveLength(2);
  const without = new Blocks(1);
  expect(without.build(without.genesis, 0, { origin }).envelope.executionPayload.transactions).toHaveLength(1);
});
