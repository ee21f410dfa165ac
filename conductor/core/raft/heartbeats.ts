/**
 * The leader's heartbeats and what their answers show (thesis §3.4; hashicorp-raft-wire.md §8). Where all voters are servers
 * of this software they come regularly and say so, ask for the election timeout that this link needs, and are answered
 * with a promise (rule 34); otherwise as hashicorp's.
 */
import { answerReads } from './commit.ts';
import { allVotersNative } from './election-timeout.ts';
import { becomeFollower } from './roles.ts';
import {
  backoffMs,
  cappedTimeoutMs,
  HEARTBEAT_AGAIN_MS,
  learnedTimeoutMs,
  LEARNING_MS,
  PROMISE_MARGIN_MS,
  randomHeartbeatMs,
  regularHeartbeatMs,
} from './timing.ts';
import type { Leadership } from './leadership.ts';
import type { RequestContext } from './pending-requests.ts';
import type { Progress } from './progress.ts';
import type { RaftState } from './state.ts';
import type { AppendEntriesRequest, AppendEntriesResponse, RpcResponse } from './types.ts';

/** Heartbeats to one peer that may wait for an answer at once: with long round trips the next is sent before the last is answered. */
const HEARTBEATS_INFLIGHT_MAX = 16;
/** Of these, how many reads may ask for beyond the timed ones. */
const READ_HEARTBEATS_MAX = 4;
/** And writes that are over: many short ones while no answer comes must leave room for those that keep the follower from campaigning. */
const WRITTEN_HEARTBEATS_MAX = 8;

type HeartbeatContext = Extract<RequestContext, { kind: 'heartbeat' }>;

/** When the next timed heartbeat is due; Infinity while too many are unanswered. */
export function nextHeartbeatMs(peer: Progress): number {
  return peer.heartbeatsInflight < HEARTBEATS_INFLIGHT_MAX ? peer.heartbeatAtMs : Infinity;
}

export function sendDueHeartbeat(s: RaftState, peer: Progress): void {
  if (s.nowMs >= nextHeartbeatMs(peer)) sendHeartbeat(s, peer);
  else if (peer.heartbeatWanted && peer.heartbeatsInflight < READ_HEARTBEATS_MAX && s.nowMs >= peer.retryAtMs)
    sendHeartbeat(s, peer);
}

/** The shape Go answers on a fast path: no entries, and zero for all that concerns the log. */
function sendHeartbeat(s: RaftState, peer: Progress, durableIndex = s.log.persistedIndex): void {
  const intervalMs = saysItsTiming(s, s.leadership!, peer) ? announcedMs(s, peer) : null;
  const request: AppendEntriesRequest = {
    ...s.header,
    kind: 'append',
    term: s.term,
    leader: s.options.address,
    prevLogIndex: 0,
    prevLogTerm: 0,
    entries: null,
    leaderCommit: 0,
    ...(intervalMs === null
      ? {}
      : { electionTimeoutMs: neededTimeoutMs(s, peer), heartbeatIntervalMs: intervalMs, durableIndex }),
  };
  const epoch = peer.heartbeatEpoch;
  const context = { kind: 'heartbeat', peerId: peer.id, read: s.leadership!.readRound, epoch, intervalMs } as const;
  s.send(peer, 'heartbeat', request, context, s.options.heartbeatTimeoutMs);
  peer.heartbeatsInflight++;
  peer.heartbeatWanted = false;
  peer.heartbeatSentMs = s.nowMs;
  peer.durableTold = intervalMs === null ? null : durableIndex;
  peer.heartbeatAtMs = nextMs(s, s.leadership!, intervalMs);
}

/** Within what time the next one comes. Where the flag's timeout is needed all the same, as often as Go's do: more of them are more to lose. */
function announcedMs(s: RaftState, peer: Progress): number {
  const isNeeded = isYoung(s, peer) || neededTimeoutMs(s, peer) < s.options.heartbeatTimeoutMs;
  return isNeeded ? regularHeartbeatMs(s.options) : Math.ceil(randomHeartbeatMs(s.options).max);
}

/** Regular ones go to all peers in the same moment, which wakes this server once; one that was sent just before it is that moment's. */
function nextMs(s: RaftState, { sinceMs }: Leadership, intervalMs: number | null): number {
  if (intervalMs === regularHeartbeatMs(s.options))
    return sinceMs + intervalMs * (Math.floor((s.nowMs - sinceMs + 1) / intervalMs) + 1);
  const { min, max } = randomHeartbeatMs(s.options);
  return s.nowMs + s.randomBetween(min, max);
}

/** A voter of Go, or of a release that promises nothing, brings the times of the flags back for all. */
function saysItsTiming(s: RaftState, led: Leadership, peer: Progress): boolean {
  if (!s.options.learnedTimeouts || !peer.isNative || !allVotersNative(s)) return false;
  for (const { id, promises } of led.peers.values()) if (promises === false && s.membership.isVoter(id)) return false;
  return true;
}

/** The least election timeout that this link bears, as far as answers have shown; the flag while they have shown little. */
export function neededTimeoutMs(s: RaftState, peer: Progress): number {
  if (isYoung(s, peer)) return cappedTimeoutMs(s.options, Infinity);
  const lateMs = Math.max(peer.lateness.maxMs(s.nowMs), s.lateness.maxMs(s.nowMs));
  return learnedTimeoutMs(s.options, regularHeartbeatMs(s.options), lateMs);
}

/** Has not answered regular heartbeats for long enough. */
function isYoung(s: RaftState, peer: Progress): boolean {
  return s.nowMs - peer.regularSinceMs < LEARNING_MS;
}

/** Before a write that no entries announce, as a snapshot's: the followers know what the silence is. */
export function announceWrite(s: RaftState): void {
  for (const peer of s.leadership?.peers.values() ?? [])
    if (peer.durableTold !== null && peer.heartbeatFailures === 0 && nextHeartbeatMs(peer) < Infinity)
      sendHeartbeat(s, peer, 0);
}

/** A write is over: followers that know of it are told, so that a silence is one again. */
export function tellWritten(s: RaftState): void {
  for (const peer of s.leadership?.peers.values() ?? []) {
    if (peer.durableTold === null || peer.durableTold >= s.log.persistedIndex) continue;
    // One whose connections fail is tried again when its pause is over.
    if (peer.heartbeatFailures > 0 || peer.heartbeatsInflight >= WRITTEN_HEARTBEATS_MAX) continue;
    peer.heartbeatAtMs = Math.min(peer.heartbeatAtMs, Math.max(s.nowMs, peer.heartbeatSentMs + HEARTBEAT_AGAIN_MS));
  }
}

/**
 * An answer of this term's follower: it was in contact when the request was sent, which is all that may be built upon;
 * that it is heard now is what keeps this server in office, as hashicorp counts it.
 */
export function inContact(s: RaftState, peer: Progress, sentMs: number, read: number): void {
  peer.contactMs = Math.max(peer.contactMs, sentMs);
  peer.lastContactMs = s.nowMs;
  if (!peer.promises) peer.promisedUntilMs = Math.max(peer.promisedUntilMs, sentMs + s.options.heartbeatTimeoutMs);
  if (read > peer.confirmedRead) {
    peer.confirmedRead = read;
    answerReads(s);
  }
}

export function onHeartbeatResponse(
  s: RaftState,
  peer: Progress,
  context: HeartbeatContext,
  sentMs: number,
  response: RpcResponse,
): void {
  if (context.epoch === peer.heartbeatEpoch) peer.heartbeatsInflight--;
  if (response.kind !== 'append') return;
  if (response.term > s.term) return becomeFollower(s, response.term, `server ${peer.id} is in a later term`);
  // It is heard again: the pause that failures on other connections have made is over.
  const wasGone = peer.heartbeatFailures > 0;
  if (wasGone) peer.heartbeatAtMs = Math.min(peer.heartbeatAtMs, s.nowMs + HEARTBEAT_AGAIN_MS);
  peer.heartbeatFailures = 0;
  // Whoever has said its end and answers after its connections have failed was started again.
  if (peer.peerStatus?.peerStatus.ends && wasGone) peer.peerStatus = null;
  if (!response.success || response.term !== s.term) return;
  learnFromAnswer(s, peer, context, sentMs, response);
  inContact(s, peer, sentMs, context.read);
}

/** How old the contact was that this answer renews, beyond what is regular; and what the peer promises. */
function learnFromAnswer(
  s: RaftState,
  peer: Progress,
  { intervalMs }: HeartbeatContext,
  sentMs: number,
  { electionTimeoutMs }: AppendEntriesResponse,
): void {
  noticeNeedlessElection(s, peer);
  if (intervalMs === null || electionTimeoutMs === undefined) {
    if (intervalMs !== null) peer.promises = false;
    else if (peer.promises) peer.promises = null;
    peer.regularSinceMs = Infinity;
    return;
  }
  peer.promises = true;
  if (peer.regularSinceMs === Infinity) peer.regularSinceMs = s.nowMs;
  else peer.lateness.note(s.nowMs - peer.renewByMs, s.nowMs);
  peer.renewByMs = sentMs + intervalMs;
  peer.promisedUntilMs = Math.max(peer.promisedUntilMs, sentMs + electionTimeoutMs - PROMISE_MARGIN_MS);
}

/** The leader before this one answers, sooner than the flag would have had it replaced: timeouts were learned too short. */
function noticeNeedlessElection(s: RaftState, peer: Progress): void {
  const { replaced } = s.leadership!;
  if (replaced?.id !== peer.id) return;
  s.leadership!.replaced = null;
  if (s.nowMs < replaced.untilMs) s.lateness.noteNeedless(s.options.heartbeatTimeoutMs, s.nowMs);
}

/** All that were on the connection fail with it: that is one failure. */
export function onHeartbeatFailed(s: RaftState, peer: Progress, context: { epoch: number }): void {
  if (context.epoch !== peer.heartbeatEpoch) return;
  peer.heartbeatEpoch++;
  // It may come back as another release.
  if (!peer.promises) peer.promises = null;
  peer.heartbeatsInflight = 0;
  peer.heartbeatAtMs = s.nowMs + backoffMs(s.options, ++peer.heartbeatFailures);
}
