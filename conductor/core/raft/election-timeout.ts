/**
 * How long a follower waits from its last contact before it asks for votes or gives one (rules 12 and 34; thesis §3.4,
 * §4.2.3, §9.3). With a voter of Go, Go's times. Among servers of this software the flag, and less where a leader's heartbeats
 * have come on time: that leader says when the next one comes and what it needs, the follower promises.
 */
import { votersOf } from './quorum.ts';
import {
  cappedTimeoutMs,
  JITTER_MS,
  LEARNED_RANK_MS,
  learnedTimeoutMs,
  LEARNING_MS,
  randomPartMaxMs,
} from './timing.ts';
import type { HeardTiming } from './episodes.ts';
import type { RaftState } from './state.ts';
import type { AppendEntriesRequest, Candidate } from './types.ts';

/** Learns from a heartbeat when it came, and from what it says; call before its contact is noted. */
export function learnFromHeartbeat(s: RaftState, request: AppendEntriesRequest): void {
  const { electionTimeoutMs, heartbeatIntervalMs, durableIndex } = request;
  const heard = s.timing?.term === s.term ? s.timing : null;
  if (electionTimeoutMs === undefined || heartbeatIntervalMs === undefined || !s.options.learnedTimeouts) {
    if (!heard) return;
    heard.timeoutMs = s.options.heartbeatTimeoutMs;
    heard.nextMs = Infinity;
    return;
  }
  if (heard) s.lateness.note(s.nowMs - heard.nextMs, s.nowMs);
  const timing = heard ?? newTiming(s, request.id);
  s.timing = timing;
  timing.nextMs = s.nowMs + heartbeatIntervalMs;
  timing.durableIndex = durableIndex ?? 0;
  const isYoung = s.nowMs - timing.sinceMs < LEARNING_MS;
  const learnedMs = learnedTimeoutMs(s.options, heartbeatIntervalMs, s.lateness.maxMs(s.nowMs));
  timing.timeoutMs =
    isYoung || !allVotersNative(s)
      ? s.options.heartbeatTimeoutMs
      : cappedTimeoutMs(s.options, Math.max(electionTimeoutMs, learnedMs));
  timing.promisedUntilMs = Math.max(timing.promisedUntilMs, s.nowMs + timing.timeoutMs);
}

function newTiming({ term, nowMs, options }: RaftState, leaderId: string | null): HeardTiming {
  return {
    ...{ term, leaderId, sinceMs: nowMs, nextMs: Infinity, promisedUntilMs: -Infinity },
    ...{ timeoutMs: options.heartbeatTimeoutMs, durableIndex: 0 },
  };
}

/** What the answer to such a heartbeat promises: whole milliseconds from now. */
export function promise(s: RaftState, request: AppendEntriesRequest): { electionTimeoutMs?: number } {
  if (request.electionTimeoutMs === undefined || s.timing?.term !== s.term || !s.options.learnedTimeouts) return {};
  return { electionTimeoutMs: Math.max(0, Math.floor(s.timing.promisedUntilMs - s.nowMs)) };
}

/** The least time from the last contact in which this server does nothing against its leader. */
function timeoutMs(s: RaftState): number {
  const { timing } = s;
  if (!timing || timing.term !== s.term || !allVotersNative(s)) return s.options.heartbeatTimeoutMs;
  // A leader is silent while it writes, which a slow disk draws out: what it does then is known, and no sign of its end.
  if (s.log.lastIndex > timing.durableIndex) return s.options.heartbeatTimeoutMs;
  return timing.timeoutMs;
}

/** Until when the leader counts as leading, where nothing else is known of its end (rule 13). */
export function ledUntilMs(s: RaftState): number {
  const promisedUntilMs = s.timing?.term === s.term ? s.timing.promisedUntilMs : -Infinity;
  return Math.max(s.contactMs + timeoutMs(s), promisedUntilMs);
}

/** Whether this server has reason to believe that somebody else leads right now (thesis §4.2.3, by time and not by a flag). */
export function isInContactWithLeader(s: RaftState, { id, address }: Candidate): boolean {
  if (s.role === 'leader') return true;
  if (!s.leader) return false;
  // A leader that asks for votes leads no more, and no other member under its address does.
  if (s.leader.address === address && (s.leader.id ?? id) === id) return false;
  if (s.suspectedFailure?.isConfirmed) return false;
  return s.nowMs < ledUntilMs(s);
}

/** When a follower that has just had contact asks for votes. */
export function electionAfterContactMs(s: RaftState): number {
  if (timeoutMs(s) >= s.options.heartbeatTimeoutMs)
    return Math.max(s.nowMs + randomElectionTimeoutMs(s), ledUntilMs(s));
  return ledUntilMs(s) + rankOf(s) * LEARNED_RANK_MS + s.randomBetween(0, JITTER_MS);
}

/** This server's place among the voters that do not lead, by their ids; −1 for one that does not vote. */
function rankOf({ membership, leader, options }: RaftState): number {
  const own = options.id;
  const voters = votersOf(membership.latest.configuration);
  if (own === leader?.id || !voters.includes(own)) return -1;
  let rank = 0;
  for (const id of voters) if (id < own && id !== leader?.id) rank++;
  return rank;
}

/** How long a server waits that has no leader to go by. */
export function randomElectionTimeoutMs(s: RaftState): number {
  const timeout = s.options.heartbeatTimeoutMs;
  if (!allVotersNative(s)) return s.randomBetween(timeout, 2 * timeout);
  return timeout + randomPartMs(s);
}

/** How long a candidate waits after a failed election before it asks again. */
export function retryTimeoutMs(s: RaftState): number {
  if (!allVotersNative(s)) return s.randomBetween(s.options.electionTimeoutMs, 2 * s.options.electionTimeoutMs);
  return randomPartMs(s);
}

/** Among servers of this software: what each draws anew every time, so that votes are not split for ever. */
function randomPartMs(s: RaftState): number {
  // The last leader's end was noticed after this long, and its voters are as quick again.
  const timeout = s.timing?.timeoutMs ?? s.options.heartbeatTimeoutMs;
  return s.randomBetween(0, randomPartMaxMs(s.options, timeout, s.failedElections));
}

/** Whether every other voter is known, by its peer status or its leader's, to be this implementation. */
export function allVotersNative(s: RaftState): boolean {
  return votersOf(s.membership.latest.configuration).every((id) => id === s.options.id || s.ownIds.has(id));
}
