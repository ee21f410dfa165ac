/**
 * Leading as hashicorp/raft v1.7.3 does (wire reference, sections 8 to 11): the own log first, then to the followers
 * (go-replication.ts); what counts as held by a follower is never lowered while this server leads; a lease that counts from
 * when answers came. Whoever asks for something is told how that ended, or that leadership was lost.
 */
import { votersOf } from '#conductor/core/raft/quorum';
import { EntryType } from '#conductor/core/raft/types';
import type { Leading } from './go-leading.ts';
import { appendChange } from './go-membership.ts';
import { append, countVoters, matched } from './go-propose.ts';
import { followMembers, isFull, replicate } from './go-replication.ts';
import { become, commitTo } from './go-role.ts';
import type { GoState } from './go-state.ts';
import { tellTarget } from './go-transfer.ts';

const LEASE_LOOK_MIN_MS = 10;
const TIMED_OUT = 'timed out enqueuing operation';

export function beginLeading(s: GoState): void {
  s.leading = {
    firstIndex: s.log.lastIndex + 1,
    replicas: new Map(),
    matches: new Map(),
    waiting: new Map(),
    changes: [],
    leaseAtMs: s.nowMs + s.options.leaderLeaseMs,
    transfer: null,
  };
  countVoters(s);
  followMembers(s, s.leading);
  append(s, EntryType.noop, null, () => undefined);
}

/** What is due: commits, changes of the members, the lease, and whatever goes to followers. */
export function tickLeader(s: GoState): void {
  const { leading } = s;
  if (leading === null) return;
  commitByMatches(s, leading);
  if (s.leading !== leading) return;
  if (s.nowMs >= leading.leaseAtMs && !holdsLease(s, leading)) return become(s, 'follower');
  startChange(s, leading);
  if (s.nowMs >= (leading.transfer?.untilMs ?? Infinity)) {
    leading.transfer?.ended('leadership transfer timeout');
    leading.transfer = null;
  }
  for (const replica of leading.replicas.values()) replicate(s, leading, replica);
  tellTarget(s, leading);
}

export function leaderDeadlineMs({ replicas, changes, leaseAtMs, transfer }: Leading): number {
  let atMs = Math.min(leaseAtMs, transfer?.untilMs ?? Infinity, changes[0]?.untilMs ?? Infinity);
  for (const replica of replicas.values()) {
    const { heartbeatAtMs, commitAtMs, retryAtMs, isDue } = replica;
    const sendsAtMs = isFull(replica) ? Infinity : Math.max(isDue ? 0 : commitAtMs, retryAtMs);
    atMs = Math.min(atMs, heartbeatAtMs, sendsAtMs);
  }
  return atMs;
}

function commitByMatches(s: GoState, leading: Leading): void {
  matched(leading, s.options.id, s.log.durableIndex);
  const sorted = [...leading.matches.values()].toSorted((a, b) => a - b);
  const index = sorted[(sorted.length - 1) >> 1] ?? 0;
  if (index <= s.commitIndex || index < leading.firstIndex) return;
  const from = s.commitIndex;
  commitTo(s, index);
  for (const [at, ended] of leading.waiting) {
    if (at > index) break;
    leading.waiting.delete(at);
    ended('');
  }
  const isChanged = s.committed.index > from && s.committed.index <= index;
  if (isChanged && !s.isVoter(s.options.id)) become(s, 'follower');
}

/** Looks who has answered of late; when to look again depends on the oldest of them. */
function holdsLease(s: GoState, leading: Leading): boolean {
  const { leaderLeaseMs, id } = s.options;
  let reached = 0;
  let oldestMs = 0;
  for (const voter of votersOf(s.latest.configuration)) {
    const sinceMs = voter === id ? 0 : s.nowMs - (leading.replicas.get(voter)?.lastContactMs ?? -Infinity);
    if (sinceMs > leaderLeaseMs) continue;
    reached++;
    oldestMs = Math.max(oldestMs, sinceMs);
  }
  leading.leaseAtMs = s.nowMs + Math.max(LEASE_LOOK_MIN_MS, leaderLeaseMs - oldestMs);
  return reached >= s.quorum;
}

function startChange(s: GoState, leading: Leading): void {
  while (leading.changes[0] !== undefined && s.nowMs >= leading.changes[0].untilMs)
    leading.changes.shift()!.ended(TIMED_OUT);
  if (s.latest.index !== s.committed.index || s.commitIndex < leading.firstIndex) return;
  const next = leading.changes.shift();
  if (next !== undefined) appendChange(s, leading, next.change, next.ended);
}
