/** Changes of role, and what is committed and applied: what every part of an op-conductor's raft needs. */
import type { Role } from '#conductor/core/raft/events';
import { EntryType } from '#conductor/core/raft/types';
import type { GoState } from './go-state.ts';
import { NOT_LEADER } from './go-propose.ts';

const LOST = 'leadership lost while committing log';

/** Whoever changes its role knows no leader until it hears of one. */
export function become(s: GoState, role: Role): void {
  s.leader = null;
  if (s.role === role) return;
  const wasLeader = s.role === 'leader';
  s.role = role;
  if (role !== 'candidate') {
    s.campaign = null;
    s.isTransferTarget = false;
  }
  if (role === 'follower') s.timerAtMs = s.nowMs + s.randomTimeout(s.options.heartbeatTimeoutMs);
  if (!wasLeader) return;
  s.lastContactMs = s.nowMs;
  endLeading(s);
}

/** A later term has been heard of. */
export function follow(s: GoState, term: number): void {
  become(s, 'follower');
  if (term > s.term) s.log.setHard({ term });
}

/** Everything up to here is committed: it is applied at once, in order. */
export function commitTo(s: GoState, index: number): void {
  s.commitIndex = index;
  if (s.latest.index <= index) s.committed = s.latest;
  while (s.appliedIndex < s.commitIndex) {
    const entry = s.log.entryAt(++s.appliedIndex);
    if (entry?.type === EntryType.command) s.payloads.apply(entry.data);
  }
}

/** A snapshot of the head now and then. Go crashes where no payload is held yet: this one takes none then. */
export function snapshotIfDue(s: GoState): void {
  if (s.nowMs < s.snapshotAtMs) return;
  const { snapshotIntervalMs, snapshotThreshold, trailingLogs } = s.options;
  s.snapshotAtMs = s.nowMs + s.randomTimeout(snapshotIntervalMs);
  const { appliedIndex: index, committed: configuration } = s;
  const data = s.payloads.head?.ssz;
  if (data === undefined || s.log.lastIndex - s.log.snapshotIndex < snapshotThreshold) return;
  if (index <= s.log.snapshotIndex) return;
  const meta = { index, term: s.log.termAt(index)!, configuration, size: data.length };
  s.log.takeSnapshot({ meta, data }, trailingLogs);
}

/** Leadership is over: everybody who waits is told. */
function endLeading(s: GoState): void {
  const { leading } = s;
  if (leading === null) return;
  s.leading = null;
  leading.transfer?.ended('');
  for (const ended of leading.waiting.values()) ended(LOST);
  for (const { ended } of leading.changes) ended(NOT_LEADER);
}
