/** What moves or cuts the chain: rollback, snapshots, compaction and opening (rules 6 and 7). */
import { describe, expect, test } from 'vitest';
import { RaftLog } from '../raft/log.ts';
import { MemoryStore } from '../raft/testing/memory-store.ts';
import { commandEntry, voters } from '../raft/testing/messages.ts';
import { EntryType } from '../raft/types.ts';
import { readSummary, summarizeData, type BlockSummary } from './block-summary.ts';
import { prefixedHex } from './hex.ts';
import { rollbackPayload } from './rollback-entry.ts';
import { checkVersion } from './ssz-check.ts';
import { testBlock, testData, testSsz } from './testing/test-blocks.ts';
import { TestLog } from './testing/test-log.ts';
import { UnsafeChain } from './unsafe-chain.ts';

const nowhere = new Uint8Array(32);

const a5 = testBlock('a5', 5n, nowhere);
const a6 = testBlock('a6', 6n, a5.hash);
const a7 = testBlock('a7', 7n, a6.hash);
const hashOf = (block: { hash: string } | null): string | undefined => block?.hash;
const hex = (block: BlockSummary): string => prefixedHex(block.hash);

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
    expect(summarizeData(data, null)).toBeNull();
  });

  test('sets the head; what was above its parent leaves the chain, and may come back under other hashes', () => {
    const log = new TestLog();
    log.commit(a5, a6, a7, back6);
    expect(log.chain.head()).toMatchObject({ number: 6n, hash: hex(back6), index: 4 });
    expect(log.chain.chainFrom(0n, 9).map(hashOf)).toEqual([a5, back6].map(hex));
    expect(log.chain.admit(a6)).toMatchObject({ reason: 'height-held', held: { hash: hex(back6) } });
    expect(log.chain.admit(a7)).toMatchObject({ reason: 'parent-mismatch' });
    expect(log.chain.admit(testBlock('c7', 7n, back6.hash))).toEqual({ kind: 'append' });
  });

  test('on a parent that is not held nothing below is known', () => {
    const log = new TestLog();
    log.commit(a5, a6, testBlock('back', 6n, testBlock('fork5', 5n, nowhere).hash, true));
    expect(log.chain.chainFrom(0n, 9)).toHaveLength(1);
  });

  test('while pending it counts for admission, and truncation takes it back', () => {
    const log = new TestLog();
    log.commit(a5, a6);
    log.append(back6);
    expect(log.chain.head()?.hash).toBe(hex(a6));
    expect(log.chain.admit(testBlock('c7', 7n, back6.hash))).toEqual({ kind: 'append' });
    log.chain.truncated(3);
    expect(log.chain.admit(a7)).toEqual({ kind: 'append' });
  });

  test('its payload is what is posted and what a snapshot holds', () => {
    const log = new TestLog();
    log.commit(a5, back6);
    const head = log.chain.head()!;
    expect(head.size).toBe(testSsz(back6).length);
    expect(log.chain.payloadOf(head)).toEqual(testSsz(back6));
    expect(log.chain.snapshot()).toEqual(testSsz(back6));
  });
});

describe('rule 7: snapshots and compaction', () => {
  test('an empty state machine takes none, and restores nothing that is not a payload', () => {
    const { chain } = new TestLog();
    expect(chain.snapshot()).toBeNull();
    expect(chain.restore(new Uint8Array(0), 3, 1)).toBe('scope too small to decode execution payload: 0');
    expect(chain.restore(testData(testBlock('r', 1n, nowhere, true)), 3, 1)).toContain('unexpected extra data offset');
    expect(chain.head()).toBeNull();
  });

  test('one below what is applied is refused', () => {
    const log = new TestLog();
    log.commit(a5, a6);
    expect(log.chain.restore(testSsz(a5), 1, 1)).toContain('older');
    expect(log.chain.head()?.number).toBe(6n);
  });

  test('a head whose entry is compacted is still there, with its bytes', () => {
    const log = new TestLog();
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
    const log = new TestLog();
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

  test('an installed snapshot that the log does not lead to may have another block where the log has one', () => {
    const store = new MemoryStore();
    const chain = new UnsafeChain((index) => store.read(index, index, 1e6)[0]?.data ?? null);
    const log = new RaftLog(store, chain, store.load(), 1e6);
    const entries = [a5, a6].map((block, at) => ({ ...commandEntry(at + 1, 1), data: testData(block) }));
    log.append(entries);
    // A rollback at index 4 put b6 in the place of a6; the log ends before it.
    const b6 = testBlock('b6', 6n, a5.hash);
    const data = testSsz(b6);
    expect(chain.restore(data, 4, 2)).toBeNull();
    const meta = { index: 4, term: 2, configuration: { index: 1, configuration: voters('n1') }, size: data.length };
    expect(log.installSnapshot({ meta, data })).toBe(false);
    expect([hashOf(chain.head()), hashOf(chain.tip())]).toEqual([hex(b6), hex(b6)]);
  });

  test('opening reads no entry', () => {
    const log = new TestLog();
    for (const block of [a5, a6, a7]) log.apply(log.append(block));
    log.chain.admit(a7);
    log.chain.chainFrom(0n, 9);
    expect(log.reads).toBe(0);
  });

  test('an entry whose summary another version wrote is read once instead', () => {
    const log = new TestLog();
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
    const summary = summarizeData(testData(a5), null)!;
    expect(readSummary(summary)).toEqual(a5);
    expect(readSummary(summary.subarray(1))).toBeNull();
    expect(summary.length).toBeLessThanOrEqual(256);
  });

  test('data of another entry at the same index is not taken for the payload', () => {
    const log = new TestLog();
    log.commit(a5);
    log.data.set(1, testData(a6));
    expect(log.chain.snapshot()).toBeNull();
    expect(log.chain.payloadOf(log.chain.head()!)).toBeNull();
    log.data.set(1, Uint8Array.of(1));
    expect(log.chain.snapshot()).toBeNull();
  });

  test('the head is the first entry of its hash, wherever the snapshot was taken', () => {
    const log = new TestLog();
    for (const block of [a5, a6, a7, a6, a7]) log.append(block);
    expect(log.chain.restore(testSsz(a7), 5, 1)).toBeNull();
    expect(log.chain.head()?.index).toBe(3);
  });

  test('after everything applied is compacted the pending tail may still go', () => {
    const log = new TestLog();
    log.commit(a5);
    log.chain.snapshot();
    log.compact(1);
    log.append(a6);
    log.chain.truncated(2);
    expect(log.chain.pendingTip()?.hash).toBe(hex(a5));
  });

  test('entries that a snapshot of another history covers may be truncated', () => {
    const log = new TestLog();
    log.append(a5);
    log.append(a6);
    expect(log.chain.restore(testSsz(a6), 4, 2)).toBeNull();
    log.chain.truncated(1);
    expect(log.chain.head()).toMatchObject({ hash: hex(a6), isInLog: false, index: 4 });
    expect(log.chain.snapshot()).toEqual(testSsz(a6));
  });

  test('a tip beside the head keeps its bytes too, if they can be read while its entry goes', () => {
    const log = new TestLog();
    const b6 = testBlock('b6', 6n, a5.hash);
    log.commit(a5, a6, b6);
    log.chain.snapshot();
    log.chain.compacted(3);
    log.data.clear();
    expect(log.chain.payloadOf(log.chain.tip()!)).toEqual(testSsz(b6));
    expect(log.chain.payloadOf(log.chain.head()!)).toEqual(testSsz(a6));
  });

  test('bytes are kept in memory only while the log might not give them', () => {
    const log = new TestLog();
    log.commit(a5);
    expect(log.chain.keptBytes).toBe(0);
    log.chain.snapshot();
    expect(log.chain.keptBytes).toBe(testSsz(a5).length);
    log.commit(a6);
    expect(log.chain.keptBytes).toBe(0);
  });

  test('those of a restored payload go when its own entry is in the log and another head is applied', () => {
    const log = new TestLog();
    expect(log.chain.restore(testSsz(a5), 1, 1)).toBeNull();
    log.append(a5);
    expect(log.chain.head()).toMatchObject({ index: 1, isInLog: true });
    expect(log.chain.keptBytes).toBe(testSsz(a5).length);
    log.commit(a6);
    expect(log.chain.keptBytes).toBe(0);
  });
});
