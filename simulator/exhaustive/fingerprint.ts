/**
 * What of a server's state decides how it goes on, as text: two servers with equal fingerprints do the same for
 * ever. Left out is what only says when something is done (the search lets timers run out whenever it likes), and
 * what the bounds of a search keep from changing; the tests hold two histories with one fingerprint side by side.
 */
import { assert } from '#conductor/assert';
import type { RaftState } from '#conductor/raft/state';
import type { HardState } from '#conductor/raft/types';

/** `entries` are those of the log, in words. */
export function fingerprint(s: Readonly<RaftState>, entries: readonly string[]): string {
  assert(s.outbox.isEmpty && !s.hardChanged && !s.log.hasChanges, 'a server at rest has nothing left to do');
  assert(s.suspicion === null && s.recovery === null, 'a search has neither fast elections nor new stores');
  const parts = [hardText(s.hard), entries.join(' '), s.role, s.leader === null ? '-' : s.leader.id];
  parts.push(`${s.commitIndex}/${s.appliedIndex}/${s.log.persistedIndex}`);
  const { round, leadership } = s;
  if (round !== null) {
    const { kind, term, isTransfer, granted, answered } = round;
    parts.push(`${kind} ${term} ${isTransfer} ${setText(granted)} ${setText(answered)}`);
  }
  if (leadership !== null) {
    parts.push(`from ${leadership.firstIndex}`);
    const peers = [...leadership.peers.values()].map((peer) => {
      const { match, next, mode, backtrack, inflightRequests, commitTold } = peer;
      const waits = `${peer.retryAtMs > s.nowMs} ${peer.tellCommitAtMs < Infinity}`;
      return `${peer.id} ${match} ${next} ${mode} ${backtrack} ${inflightRequests} ${commitTold} ${waits}`;
    });
    parts.push(...peers.toSorted());
  }
  return parts.join('|');
}

function hardText({ term, votedTerm, votedFor, recovering }: HardState): string {
  return `${term} ${votedTerm} ${votedFor === null ? '-' : votedFor.id} ${recovering}`;
}

function setText(ids: ReadonlySet<string>): string {
  return [...ids].toSorted().join(',');
}
