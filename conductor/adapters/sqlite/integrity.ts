/**
 * What must hold between the parts of a store whenever it is opened. Pure: it looks at what was
 * read and returns the first thing that is wrong, in a sentence, or null.
 */
import type { SnapshotMeta } from '#conductor/core/raft/types';
import { headChecksum } from './checksum.ts';
import type { StoredHead } from './log-table.ts';
import type { StateRow } from './state-table.ts';

/** The parts of a store as read at open. */
export interface StoredParts {
  readonly state: StateRow | null;
  readonly snapshot: SnapshotMeta | null;
  readonly heads: readonly StoredHead[];
}

/** Checks state row, contiguity, term order, head checksums and the fit of snapshot and log. */
export function findInconsistency({ state, snapshot, heads }: StoredParts): string | null {
  if (state === null) {
    return heads.length === 0 && snapshot === null ? null : 'There are entries or a snapshot but no term and vote';
  }
  const { term, votedTerm } = state.hardState;
  if (votedTerm > term) return `The vote is for term ${votedTerm}, beyond the current term ${term}`;
  return findLogFault(state, heads) ?? findSnapshotFault(state, snapshot, heads);
}

function findLogFault(state: StateRow, heads: readonly StoredHead[]): string | null {
  let expected = state.firstIndex;
  let term = 0;
  for (const head of heads) {
    if (head.index !== expected) return `Log entry ${expected} is missing (the next one stored is ${head.index})`;
    if (headChecksum(head) !== head.checksum) return `Log entry ${head.index} does not match its checksum`;
    if (head.term < term) return `Log entry ${head.index} has term ${head.term}, below ${term} of the entry before it`;
    term = head.term;
    expected += 1;
  }
  if (term > state.hardState.term)
    return `Log entry ${expected - 1} has term ${term}, beyond the current term ${state.hardState.term}`;
  return null;
}

function findSnapshotFault(
  state: StateRow,
  snapshot: SnapshotMeta | null,
  heads: readonly StoredHead[],
): string | null {
  const first = heads[0];
  const last = heads.at(-1);
  const covered = snapshot?.index ?? 0;
  if (first !== undefined && first.index > covered + 1)
    return `The log begins at ${first.index}, after a snapshot at ${covered}: entries between are missing`;
  if (snapshot === null) return null;
  if (snapshot.term > state.hardState.term)
    return `The snapshot has term ${snapshot.term}, beyond the current term ${state.hardState.term}`;
  if (first === undefined || last === undefined) return null;
  const boundary = heads[snapshot.index - first.index];
  if (boundary !== undefined && boundary.term !== snapshot.term) {
    return `The snapshot at ${snapshot.index} has term ${snapshot.term} but the log has term ${boundary.term} there`;
  }
  if (snapshot.index < first.index && first.term < snapshot.term)
    return `Log entry ${first.index} has term ${first.term}, below ${snapshot.term} of the snapshot before it`;
  if (snapshot.index > last.index && last.term > snapshot.term)
    return `Log entry ${last.index} has term ${last.term}, beyond ${snapshot.term} of the snapshot after it`;
  return null;
}
