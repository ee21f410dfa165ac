/** The rules of the chain one by one (1, 2 and 4). */
import { describe, expect, test } from 'vitest';
import { EntryType } from '../raft/types.ts';
import type { BlockSummary } from './block-summary.ts';
import { prefixedHex } from './hex.ts';
import { testBlock, testData, testSsz } from './testing/test-blocks.ts';
import { TestLog } from './testing/test-log.ts';

const nowhere = new Uint8Array(32);

const a5 = testBlock('a5', 5n, nowhere);
const a6 = testBlock('a6', 6n, a5.hash);
const a7 = testBlock('a7', 7n, a6.hash);
const b6 = testBlock('b6', 6n, a5.hash);
const b7 = testBlock('b7', 7n, b6.hash);
const hashOf = (block: { hash: string } | null): string | undefined => block?.hash;
const hex = (block: BlockSummary): string => prefixedHex(block.hash);

describe('rule 1: the head is the highest number, the first one at that height', () => {
  test('lower and equal numbers are applied without effect on the head', () => {
    const log = new TestLog();
    log.commit(a5, a7, a6, b7);
    expect(log.chain.head()).toMatchObject({
      number: 7n,
      hash: hex(a7),
      parentHash: hex(a6),
      timestamp: a7.timestamp,
      index: 2,
    });
    expect(log.apply(log.append(testBlock('z9', 9n, nowhere)))).toEqual({ kind: 'applied', number: 9n, isHead: true });
    expect(log.apply(log.append(a6))).toEqual({ kind: 'applied', number: 6n, isHead: false });
  });

  test('the tip is the last payload at the head’s height, and the chain is the tip’s', () => {
    const log = new TestLog();
    log.commit(a5, a6, b6);
    expect([hashOf(log.chain.head()), hashOf(log.chain.tip())]).toEqual([hex(a6), hex(b6)]);
    expect(log.chain.admit(b7)).toEqual({ kind: 'append' });
    log.commit(b7);
    expect(log.chain.chainFrom(0n, 9).map(hashOf)).toEqual([a5, b6, b7].map(hex));
    expect(log.chain.payloadAt(6n)?.index).toBe(3);
  });

  test('it holds every height from one up to the tip, unless one is missing, or the log begins above', () => {
    const log = new TestLog();
    expect(log.chain.holdsFrom(0n)).toBe(false);
    log.commit(a5, a6, b6, b7);
    expect([4n, 5n, 6n, 7n, 8n].map((number) => log.chain.holdsFrom(number))).toEqual([false, true, true, true, false]);
    const b9 = testBlock('b9', 9n, nowhere);
    log.commit(b9, testBlock('b10', 10n, b9.hash));
    expect([7n, 8n, 9n, 10n].map((number) => log.chain.holdsFrom(number))).toEqual([false, false, true, true]);
    log.compact(5);
    expect([9n, 10n].map((number) => log.chain.holdsFrom(number))).toEqual([log.chain.payloadAt(9n) !== null, true]);
  });

  test('a block that the chain has moved back from is given up; one that is held, pending or unknown is not', () => {
    const log = new TestLog();
    log.commit(a5, a6, a7, { ...b6, isRollback: true });
    log.append(b7);
    const given = [a5, a6, a7, b6, b7, testBlock('z7', 7n, b6.hash)];
    const isGivenUp = (block: BlockSummary): boolean => log.chain.hasGivenUp(block.number, hex(block));
    expect(given.map((block) => isGivenUp(block))).toEqual([false, true, true, false, false, false]);
    // Loaded anew, what stands below a gap that an operator accepted is not linked to the tip (rule 4).
    const b9 = testBlock('b9', 9n, nowhere);
    const again = new TestLog();
    for (const block of [a5, b9]) again.append(block);
    expect(again.chain.restore(testSsz(b9), 2, 1)).toBeNull();
    expect([a5, b9].map(({ number, hash }) => again.chain.hasGivenUp(number, prefixedHex(hash)))).toEqual([
      false,
      false,
    ]);
  });

  test('the first payload of all is admitted whatever it is', () => {
    expect(new TestLog().chain.admit(a7)).toEqual({ kind: 'append' });
  });

  test('entries that are no payload change nothing: barriers, empty data, other bytes', () => {
    const log = new TestLog();
    log.commit(a5);
    expect(log.apply(log.append(new Uint8Array(0), EntryType.barrier))).toBeNull();
    expect(log.apply(log.append(testData(a6), EntryType.noop))).toBeNull();
    expect(log.apply(log.append(new Uint8Array(0)))).toEqual({ kind: 'rejected', message: 'log data is nil or empty' });
    expect(log.apply(log.append(new Uint8Array(600)))).toEqual({
      kind: 'rejected',
      message: 'unexpected extra data offset: 0 <> 528',
    });
    expect(log.chain.head()?.number).toBe(5n);
    expect(log.chain.size).toBe(1);
  });
});

describe('rule 2: one hash per height of the chain', () => {
  test('the same hash is never appended twice; it is pending until its entry commits', () => {
    const log = new TestLog();
    log.commit(a5);
    const pending = log.append(a6);
    expect(log.chain.admit(a6)).toEqual({ kind: 'same', index: 2, committed: false });
    log.apply(pending);
    expect(log.chain.admit(a6)).toEqual({ kind: 'same', index: 2, committed: true });
    expect(log.chain.admit(a5)).toEqual({ kind: 'same', index: 1, committed: true });
  });

  test('another hash at a held height is refused with what is held, pending or committed', () => {
    const log = new TestLog();
    log.commit(a5);
    log.append(a6);
    expect(log.chain.admit(b6)).toEqual({
      kind: 'refused',
      reason: 'height-held',
      held: { number: 6n, hash: hex(a6), committed: false },
    });
    expect(log.chain.admit(testBlock('x5', 5n, nowhere))).toMatchObject({
      reason: 'height-held',
      held: { committed: true },
    });
  });

  test('the next height on another parent is refused with the tip', () => {
    const log = new TestLog();
    log.commit(a5, a6);
    expect(log.chain.admit(b7)).toEqual({
      kind: 'refused',
      reason: 'parent-mismatch',
      held: { number: 6n, hash: hex(a6), committed: true },
    });
  });

  test('a height below the log is refused with the tip', () => {
    const log = new TestLog();
    log.commit(a5, a6);
    expect(log.chain.admit(testBlock('old', 4n, nowhere))).toMatchObject({
      reason: 'below-chain',
      held: { hash: hex(a6) },
    });
  });

  test('an entry that is truncated is no longer held', () => {
    const log = new TestLog();
    log.commit(a5);
    log.append(a6);
    log.append(a7);
    log.chain.truncated(2);
    expect(log.chain.pendingTip()?.number).toBe(5n);
    expect(log.chain.admit(b6)).toEqual({ kind: 'append' });
  });
});

describe('rule 4: a payload that skips heights', () => {
  const a9 = testBlock('a9', 9n, testBlock('a8', 8n, a7.hash).hash);

  test('is a gap of so many ancestors, up to the tip', () => {
    const log = new TestLog();
    log.commit(a5, a6);
    expect(log.chain.admit(a9)).toEqual({
      kind: 'gap',
      tip: { number: 6n, hash: hex(a6), committed: true },
      steps: 2n,
    });
  });

  test('stands on the chain once appended; the missing heights stay missing', () => {
    const log = new TestLog();
    log.commit(a5, a6, a9);
    expect(log.chain.chainFrom(5n, 9).map((each) => each.number)).toEqual([5n, 6n, 9n]);
    expect(log.chain.payloadAt(8n)).toBeNull();
    expect(log.chain.admit(a7)).toMatchObject({ kind: 'refused', reason: 'below-chain' });
  });
});
