/** The rules of the chain one by one (1, 2, 4, 6 and 7). */
import { describe, expect, test } from 'vitest';
import type { EntrySummary } from '../ports.ts';
import { EntryType } from '../raft/types.ts';
import { readSummary, summarizeData, type BlockSummary } from './block-summary.ts';
import { prefixedHex } from './hex.ts';
import { rollbackPayload } from './rollback-entry.ts';
import { checkVersion } from './ssz-check.ts';
import { testBlock, testData, testSsz } from './test-blocks.ts';
import { UnsafeChain, type ApplyResult } from './unsafe-chain.ts';

const nowhere = new Uint8Array(32);

/** A chain over a log held in a map. */
class Log {
  readonly data = new Map<number, Uint8Array>();
  reads = 0;
  readonly chain = new UnsafeChain((index) => {
    this.reads++;
    return this.data.get(index) ?? null;
  });
  last = 0;

  append(data: Uint8Array | BlockSummary, type: number = EntryType.command): EntrySummary {
    const index = ++this.last;
    const whole = data instanceof Uint8Array ? data : testData(data);
    this.data.set(index, whole);
    const summary = this.chain.summarize({
      index,
      term: 1,
      type,
      data: whole,
      extensions: null,
      appendedAt: new Uint8Array(15),
    });
    const entry = { index, term: 1, type, size: whole.length, summary };
    this.chain.appended(entry);
    return entry;
  }

  apply(entry: EntrySummary): ApplyResult | null {
    return this.chain.apply({ ...entry, data: () => this.data.get(entry.index) ?? null });
  }

  commit(...blocks: (Uint8Array | BlockSummary)[]): void {
    for (const block of blocks) this.apply(this.append(block));
  }

  compact(through: number): void {
    for (const index of this.data.keys()) if (index <= through) this.data.delete(index);
    this.chain.compacted(through);
  }
}

const a5 = testBlock('a5', 5n, nowhere);
const a6 = testBlock('a6', 6n, a5.hash);
const a7 = testBlock('a7', 7n, a6.hash);
const b6 = testBlock('b6', 6n, a5.hash);
const b7 = testBlock('b7', 7n, b6.hash);
const hashOf = (block: { hash: string } | null): string | undefined => block?.hash;
const hex = (block: BlockSummary): string => prefixedHex(block.hash);

describe('rule 1: the head is the highest number, the first one at that height', () => {
  test('lower and equal numbers are applied without effect on the head', () => {
    const log = new Log();
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
    const log = new Log();
    log.commit(a5, a6, b6);
    expect([hashOf(log.chain.head()), hashOf(log.chain.tip())]).toEqual([hex(a6), hex(b6)]);
    expect(log.chain.admit(b7)).toEqual({ kind: 'append' });
    log.commit(b7);
    expect(log.chain.chainFrom(0n, 9).map(hashOf)).toEqual([a5, b6, b7].map(hex));
    expect(log.chain.payloadAt(6n)?.index).toBe(3);
  });

  test('the first payload of all is admitted whatever it is', () => {
    expect(new Log().chain.admit(a7)).toEqual({ kind: 'append' });
  });

  test('entries that are no payload change nothing: barriers, empty data, other bytes', () => {
    const log = new Log();
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
    const log = new Log();
    log.commit(a5);
    const pending = log.append(a6);
    expect(log.chain.admit(a6)).toEqual({ kind: 'same', index: 2, committed: false });
    log.apply(pending);
    expect(log.chain.admit(a6)).toEqual({ kind: 'same', index: 2, committed: true });
    expect(log.chain.admit(a5)).toEqual({ kind: 'same', index: 1, committed: true });
  });

  test('another hash at a held height is refused with what is held, pending or committed', () => {
    const log = new Log();
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
    const log = new Log();
    log.commit(a5, a6);
    expect(log.chain.admit(b7)).toEqual({
      kind: 'refused',
      reason: 'parent-mismatch',
      held: { number: 6n, hash: hex(a6), committed: true },
    });
  });

  test('a height below the log is refused with the tip', () => {
    const log = new Log();
    log.commit(a5, a6);
    expect(log.chain.admit(testBlock('old', 4n, nowhere))).toMatchObject({
      reason: 'below-chain',
      held: { hash: hex(a6) },
    });
  });

  test('an entry that is truncated is no longer held', () => {
    const log = new Log();
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
    const log = new Log();
    log.commit(a5, a6);
    expect(log.chain.admit(a9)).toEqual({
      kind: 'gap',
      tip: { number: 6n, hash: hex(a6), committed: true },
      steps: 2n,
    });
  });

  test('stands on the chain once appended; the missing heights stay missing', () => {
    const log = new Log();
    log.commit(a5, a6, a9);
    expect(log.chain.chainFrom(5n, 9).map((each) => each.number)).toEqual([5n, 6n, 9n]);
    expect(log.chain.payloadAt(8n)).toBeNull();
    expect(log.chain.admit(a7)).toMatchObject({ kind: 'refused', reason: 'below-chain' });
  });
});

describe('rule 6: rollback', () => {
  const back6 = testBlock('back6', 6n, a5.hash, true);

  test('op-conductor’s decoders refuse the entry for its offset, whatever follows', () => {
    const data = testData(back6);
    expect(checkVersion(data, 4)).toBe('unexpected extra data offset: 4294967295 <> 560');
    expect(checkVersion(data, 3)).toBe('unexpected extra data offset: 4294967295 <> 528');
    expect(rollbackPayload(data)).toEqual(testSsz(back6));
  });

  test.each([15, 468, 471])('it is recognised by magic and mark together, not with byte %i changed', (at) => {
    const data = testData(back6);
    data[at]! ^= 1;
    expect(rollbackPayload(data)).toBeNull();
    expect(summarizeData(data)).toBeNull();
  });

  test('sets the head; what was above its parent leaves the chain, and may come back under other hashes', () => {
    const log = new Log();
    log.commit(a5, a6, a7, back6);
    expect(log.chain.head()).toMatchObject({ number: 6n, hash: hex(back6), index: 4 });
    expect(log.chain.chainFrom(0n, 9).map(hashOf)).toEqual([a5, back6].map(hex));
    expect(log.chain.admit(a6)).toMatchObject({ reason: 'height-held', held: { hash: hex(back6) } });
    expect(log.chain.admit(a7)).toMatchObject({ reason: 'parent-mismatch' });
    expect(log.chain.admit(testBlock('c7', 7n, back6.hash))).toEqual({ kind: 'append' });
  });

  test('on a parent that is not held nothing below is known', () => {
    const log = new Log();
    log.commit(a5, a6, testBlock('back', 6n, testBlock('fork5', 5n, nowhere).hash, true));
    expect(log.chain.chainFrom(0n, 9)).toHaveLength(1);
  });

  test('while pending it counts for admission, and truncation takes it back', () => {
    const log = new Log();
    log.commit(a5, a6);
    log.append(back6);
    expect(log.chain.head()?.hash).toBe(hex(a6));
    expect(log.chain.admit(testBlock('c7', 7n, back6.hash))).toEqual({ kind: 'append' });
    log.chain.truncated(3);
    expect(log.chain.admit(a7)).toEqual({ kind: 'append' });
  });

  test('its payload is what is posted and what a snapshot holds', () => {
    const log = new Log();
    log.commit(a5, back6);
    const head = log.chain.head()!;
    expect(head.size).toBe(testSsz(back6).length);
    expect(log.chain.payloadOf(head)).toEqual(testSsz(back6));
    expect(log.chain.snapshot()).toEqual(testSsz(back6));
  });
});

describe('rule 7: snapshots and compaction', () => {
  test('an empty state machine takes none, and restores nothing that is not a payload', () => {
    const { chain } = new Log();
    expect(chain.snapshot()).toBeNull();
    expect(chain.restore(new Uint8Array(0), 3, 1)).toBe('scope too small to decode execution payload: 0');
    expect(chain.restore(testData(testBlock('r', 1n, nowhere, true)), 3, 1)).toContain('unexpected extra data offset');
    expect(chain.head()).toBeNull();
  });

  test('one below what is applied is refused', () => {
    const log = new Log();
    log.commit(a5, a6);
    expect(log.chain.restore(testSsz(a5), 1, 1)).toContain('older');
    expect(log.chain.head()?.number).toBe(6n);
  });

  test('a head whose entry is compacted is still there, with its bytes', () => {
    const log = new Log();
    log.commit(a5, a6, a5);
    log.chain.snapshot();
    log.compact(3);
    const head = log.chain.head()!;
    expect(head).toMatchObject({ hash: hex(a6), isInLog: false });
    expect(log.chain.payloadOf(head)).toEqual(testSsz(a6));
    expect(log.chain.snapshot()).toEqual(testSsz(a6));
    expect(log.chain.admit(a7)).toEqual({ kind: 'append' });
    expect(log.chain.admit(a6)).toEqual({ kind: 'same', index: 2, committed: true });
    log.commit(a7);
    expect(log.chain.chainFrom(0n, 9).map(hashOf)).toEqual([a6, a7].map(hex));
  });

  test('after an installed snapshot the index holds the head and what comes after', () => {
    const log = new Log();
    log.last = 40;
    expect(log.chain.restore(testSsz(a6), 40, 3)).toBeNull();
    log.chain.compacted(40);
    log.commit(a7);
    expect(log.chain.chainFrom(0n, 9).map((each) => [each.number, each.index, each.isInLog])).toEqual([
      [6n, 40, false],
      [7n, 41, true],
    ]);
    expect(log.chain.payloadOf(log.chain.payloadAt(6n)!)).toEqual(testSsz(a6));
  });

  test('opening reads no entry', () => {
    const log = new Log();
    for (const block of [a5, a6, a7]) log.apply(log.append(block));
    log.chain.admit(a7);
    log.chain.chainFrom(0n, 9);
    expect(log.reads).toBe(0);
  });

  test('an entry whose summary another version wrote is read once instead', () => {
    const log = new Log();
    log.data.set(1, testData(a5));
    const entry = {
      index: 1,
      term: 1,
      type: EntryType.command,
      size: log.data.get(1)!.length,
      summary: Uint8Array.of(2, 3),
    };
    log.chain.appended(entry);
    expect(log.apply(entry)).toEqual({ kind: 'applied', number: 5n, isHead: true });
    expect(log.reads).toBe(1);
  });

  test('a truncated summary is none', () => {
    const summary = summarizeData(testData(a5))!;
    expect(readSummary(summary)).toEqual(a5);
    expect(readSummary(summary.subarray(1))).toBeNull();
    expect(summary.length).toBeLessThanOrEqual(256);
  });
});
