import { describe, expect, it } from 'vitest';
import { l1Heads, l2Ref, slotAfter } from './chain-spec.ts';

const spec = { genesisTime: 1_000, blockSeconds: 2, chainId: 901 };

function refAt(timestamp: number) {
  return l2Ref(spec, { hash: '0xaa', number: 1, parentHash: '0xbb', timestamp });
}

describe('the simulated L1', () => {
  it('gives each block the newest origin not younger than itself, and counts within the epoch', () => {
    expect(refAt(1_000)).toMatchObject({ l1origin: { number: 0 }, sequenceNumber: 0 });
    expect(refAt(1_010)).toMatchObject({ l1origin: { number: 0 }, sequenceNumber: 5 });
    expect(refAt(1_012)).toMatchObject({ l1origin: { number: 1 }, sequenceNumber: 0 });
    expect(refAt(1_014)).toMatchObject({ l1origin: { number: 1 }, sequenceNumber: 1 });
  });

  it('is linked by hashes and has its safe heads behind', () => {
    const { head, safe, finalized } = l1Heads(spec, 1_000 + 12 * 10);
    expect([head.number, safe.number, finalized.number]).toEqual([10, 8, 6]);
    expect(head.parentHash).toBe(l1Heads(spec, 1_000 + 12 * 9).head.hash);
    expect(l1Heads(spec, 0).head.number).toBe(0);
  });
});

describe('the slot of the next block', () => {
  it('is a block time after its parent, and near the clock after a long sleep', () => {
    const parent = { number: 1, timestamp: 1_002 };
    expect(slotAfter(spec, parent, 1_003_000)).toEqual({ timestamp: 1_004, dueMs: 1_004_000 });
    expect(slotAfter(spec, parent, 1_300_000)).toEqual({ timestamp: 1_004, dueMs: 1_004_000 });
    expect(slotAfter(spec, parent, 1_403_000)).toEqual({ timestamp: 1_402, dueMs: 1_402_000 });
  });

  it('is a part of it after its parent where blocks share a time stamp, which is never ahead of the clock', () => {
    const fast = { genesisTime: 1_000, blockSeconds: 1, blocksPerSlot: 4, chainId: 901 };
    const slots = [0, 1, 2, 3].map((number) => slotAfter(fast, { number, timestamp: 0 }, 0));
    expect(slots.map(({ dueMs }) => dueMs - 1_000_000)).toEqual([250, 500, 750, 1000]);
    expect(slots.map(({ timestamp }) => timestamp)).toEqual([1_000, 1_000, 1_000, 1_001]);
  });
});
