import { describe, expect, test } from 'vitest';
import { headChecksum } from './checksum.ts';
import { findInconsistency, type StoredParts } from './integrity.ts';
import type { StoredHead } from './log-table.ts';
import { hardStateAt, snapshotAt } from './testing/values.ts';

function head(index: number, term: number): StoredHead {
  const summary = { index, term, type: 0, size: 10, summary: null };
  return { ...summary, checksum: headChecksum(summary) };
}

const sound: StoredParts = {
  state: { firstIndex: 3, hardState: hardStateAt(4) },
  snapshot: snapshotAt(4, 2).meta,
  heads: [head(3, 1), head(4, 2), head(5, 4)],
};

describe('findInconsistency', () => {
  test('finds nothing in a sound store, a new one, or one with only a hard state', () => {
    expect(findInconsistency(sound)).toBeNull();
    expect(findInconsistency({ state: null, snapshot: null, heads: [] })).toBeNull();
    expect(findInconsistency({ ...sound, snapshot: null, heads: [] })).toBeNull();
    expect(findInconsistency({ ...sound, heads: [] })).toBeNull();
  });

  const hard = hardStateAt(4);
  const faults: readonly [fault: string, change: Partial<StoredParts>, sentence: RegExp][] = [
    ['entries without a vote record', { state: null }, /no term and vote/],
    [
      'a vote from the future',
      { state: { firstIndex: 3, hardState: { ...hard, votedTerm: 5 } } },
      /vote is for term 5/,
    ],
    ['a hole', { heads: [head(3, 1), head(5, 4)] }, /entry 4 is missing/],
    ['a missing front', { heads: [head(4, 2), head(5, 4)] }, /entry 3 is missing/],
    [
      'a changed head',
      { heads: [head(3, 1), { ...head(4, 2), size: 11 }, head(5, 4)] },
      /entry 4 does not match its checksum/,
    ],
    ['a term that falls', { heads: [head(3, 3), head(4, 2), head(5, 4)] }, /entry 4 has term 2, below 3/],
    ['an entry from the future', { heads: [head(3, 1), head(4, 2), head(5, 9)] }, /entry 5 has term 9, beyond/],
    ['a gap after the snapshot', { snapshot: snapshotAt(1, 1).meta }, /begins at 3, after a snapshot at 1/],
    ['a log that needs a snapshot and has none', { snapshot: null }, /begins at 3, after a snapshot at 0/],
    ['a snapshot from the future', { snapshot: snapshotAt(9, 9).meta }, /snapshot has term 9, beyond/],
    ['another term at the boundary', { snapshot: snapshotAt(4, 3).meta }, /log has term 2 there/],
    ['a log older than the snapshot before it', { snapshot: snapshotAt(2, 2).meta }, /entry 3 has term 1, below 2/],
    ['a log newer than the snapshot after it', { snapshot: snapshotAt(6, 3).meta }, /entry 5 has term 4, beyond 3/],
  ];

  test.each(faults)('names %s', (_fault, change, sentence) => {
    expect(findInconsistency({ ...sound, ...change })).toMatch(sentence);
  });
});
