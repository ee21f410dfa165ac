import { describe, expect, it } from 'vitest';
import { l1Heads, l2Ref } from './chain-spec.ts';

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
