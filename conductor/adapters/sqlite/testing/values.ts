/** Values for the tests of the store: every byte of an entry follows from its index and term. */
import type { StoredEntry } from '#conductor/core/ports';
import type { HardState, Snapshot } from '#conductor/core/raft/types';

/** A hard state that voted for itself in `term`. */
export function hardStateAt(term: number): HardState {
  return { term, votedTerm: term, votedFor: { id: 'n1', address: 'localhost:1' }, recovering: false };
}

/** A command entry with a summary. */
export function entryAt(index: number, term = 1, bytes = 40): StoredEntry {
  const data = new Uint8Array(bytes).map((_, at) => (index * 31 + term * 7 + at * 3) & 255);
  const appendedAt = new Uint8Array(15).fill(index & 255);
  return { entry: { index, term, type: 0, data, extensions: null, appendedAt }, summary: data.slice(0, 8) };
}

/** A snapshot that covers the log through `index`. */
export function snapshotAt(index: number, term = 1, bytes = 30): Snapshot {
  const data = new Uint8Array(bytes).map((_, at) => (index + at) & 255);
  const servers = [{ id: 'n1', address: 'localhost:1', suffrage: 0 as const }];
  return { meta: { index, term, configuration: { index: 1, configuration: { servers } }, size: bytes }, data };
}
