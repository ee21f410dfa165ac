/**
 * The leader's side of replication: append requests, their answers, and finding where a follower's log agrees
 * (thesis §3.5, §10.2; hashicorp-raft-wire.md §8).
 */
import { decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { answerAsks } from './ask-peers.ts';
import { advanceCommit } from './commit.ts';
import { inContact, sendDueHeartbeat } from './heartbeats.ts';
import { isBeyondRecovery } from './recovery.ts';
import { becomeFollower } from './roles.ts';
import { onSnapshotInVain, sendSnapshot } from './send-snapshot.ts';
import { backoffMs, STATUS_PER_TIMEOUT, IDLE_APPENDS } from './timing.ts';
import type { Progress } from './progress.ts';
import type { RequestContext } from './pending-requests.ts';
import type { RaftState } from './state.ts';
import type { AppendEntriesRequest, AppendEntriesResponse, RpcResponse } from './types.ts';

/** A request of this many bytes keeps a follower busy: a heartbeat goes with it, so that contact is fresh until it is through. */
const LONG_APPEND_BYTES = 1024 * 1024;
/** Longest time for what is under way to a slow link, in requests' timeouts, as a power of 2: 80 s for 32 MiB are 3 Mbit/s. */
const SLOW_APPENDS_MAX = 4;

type AppendContext = Extract<RequestContext, { kind: 'append' }>;

/** Sends whatever is due to every peer. Called once per Ready, so that proposals of one turn share a request. */
export function replicateToAll(s: RaftState): void {
  const led = s.leadership;
  if (!led || s.hasFailed) return;
  for (const peer of led.peers.values()) {
    replicateTo(s, peer);
    sendDueHeartbeat(s, peer);
  }
}

function replicateTo(s: RaftState, peer: Progress): void {
  if (s.nowMs < peer.retryAtMs || peer.mode === 'snapshot') return;
  if (peer.mode === 'probe') {
    // Unverified: one request at a time; after a conflict without entries until the logs are found to agree.
    if (peer.inflightRequests === 0) sendAppend(s, peer, peer.backtrack === 1 || peer.match === peer.next - 1);
    return;
  }
  while (peer.next <= s.log.lastIndex && peer.mode === 'pipeline') {
    if (peer.inflightRequests >= s.options.inflightRequestsMax) return;
    if (peer.inflightRequests > 0 && peer.inflightBytes >= s.options.inflightBytesMax) break;
    sendAppend(s, peer, true);
  }
  // What the loop found to be compacted goes out as a snapshot, once.
  if (peer.mode === 'pipeline' && s.nowMs >= nextEmptyAppendMs(s, peer)) sendAppend(s, peer, false);
}

/** When a peer in step is due an empty append: to learn of a commit, or because it has been idle. */
export function nextEmptyAppendMs(s: RaftState, peer: Progress): number {
  if (peer.inflightRequests >= s.options.inflightRequestsMax) return Infinity;
  // To a server that is recovering an empty request says that there is no more (rule 9).
  if (!peer.hasLearnedCommit && peer.next <= s.log.lastIndex) return Infinity;
  if (peer.statusWanted) return s.nowMs;
  const idleAtMs =
    peer.inflightRequests > 0 ? Infinity : peer.appendSentMs + s.options.heartbeatTimeoutMs / IDLE_APPENDS;
  return Math.min(peer.tellCommitAtMs, idleAtMs);
}

function sendAppend(s: RaftState, peer: Progress, withEntries: boolean): void {
  const prevIndex = peer.next - 1;
  const prevTerm = s.log.termAt(prevIndex);
  const isForNatives = peer.next <= s.nativeThrough;
  if (prevTerm === null || peer.next < s.log.firstIndex || (isForNatives && !peer.isNative))
    return sendSnapshot(s, peer);
  const { appendEntriesMax, appendBytesMax } = s.options;
  // Who was ours may be an op-conductor since its connection broke: it says what it is before it is sent what that cannot read.
  const isReady = withEntries && (!isForNatives || peer.hasAnswered) && peer.next <= s.log.lastIndex;
  const entries = isReady ? s.log.slice(peer.next, appendEntriesMax, appendBytesMax) : [];
  let bytes = 0;
  for (const entry of entries) bytes += entry.data?.length ?? 0;
  const lastIndex = prevIndex + entries.length;
  // Go commits up to its own last index, also where this request has not verified it: never tell it of more.
  const leaderCommit = Math.min(s.commitIndex, lastIndex);
  const peerStatus = offeredStatus(s, peer);
  const request: AppendEntriesRequest = {
    ...s.header,
    kind: 'append',
    term: s.term,
    leader: s.options.address,
    prevLogIndex: prevIndex,
    prevLogTerm: prevTerm,
    entries,
    leaderCommit,
    ...peerStatus,
  };
  const context: AppendContext = {
    kind: 'append',
    peerId: peer.id,
    epoch: peer.epoch,
    prevIndex,
    lastIndex,
    bytes,
    read: s.leadership!.readRound,
    offeredStatus: peerStatus.peerStatus !== undefined,
    ask: s.leadership!.askRound,
    leaderCommit,
    isInStep: peer.mode === 'pipeline' && peer.match >= s.membership.latest.index,
  };
  s.send(peer, 'replicate', request, context, appendTimeoutMs(s, peer, bytes));
  peer.next = lastIndex + 1;
  peer.inflightRequests++;
  peer.inflightBytes += bytes;
  if (bytes >= LONG_APPEND_BYTES) peer.heartbeatWanted = true;
  peer.appendSentMs = s.nowMs;
  peer.commitTold = leaderCommit;
  peer.tellCommitAtMs = Infinity;
}

/** All that is under way goes before it. Short ones keep their time: a connection that is dead is to be noticed. */
function appendTimeoutMs(s: RaftState, peer: Progress, bytes: number): number {
  const isLong = peer.inflightBytes + bytes >= LONG_APPEND_BYTES;
  return s.options.requestTimeoutMs * (isLong ? 2 ** Math.min(peer.slowAppends, SLOW_APPENDS_MAX) : 1);
}

/** Rule 16: the peer-status key on the first append of a connection, afterwards only towards peers that answered it. */
function offeredStatus(s: RaftState, peer: Progress): { peerStatus?: Uint8Array } {
  const isWanted = peer.statusWanted;
  peer.statusWanted = false;
  const everyMs = s.options.heartbeatTimeoutMs / STATUS_PER_TIMEOUT;
  const isDue = peer.isNative && (isWanted || s.nowMs - peer.statusSentMs >= everyMs);
  if (peer.statusOffered && !isDue) return {};
  peer.statusOffered = true;
  peer.statusSentMs = s.nowMs;
  return { peerStatus: encodePeerStatus({ ...s.localStatus, own: [s.options.id, ...s.ownIds] }) };
}

export function onAppendResponse(
  s: RaftState,
  peer: Progress,
  context: AppendContext,
  sentMs: number,
  response: RpcResponse,
): void {
  if (response.kind !== 'append') return onAppendFailed(s, peer, context, 'refused');
  if (response.term > s.term) return becomeFollower(s, response.term, `server ${peer.id} is in a later term`);
  // A refusal confirms nothing: a server that lost its store gives one before it knows what it had promised (rule 9).
  if (response.success && response.term === s.term) inContact(s, peer, sentMs, context.read);
  if (context.offeredStatus) learnStatus(s, peer, context, sentMs, response);
  const isCurrent = context.epoch === peer.epoch;
  if (isCurrent) {
    peer.inflightRequests--;
    peer.inflightBytes -= context.bytes;
    peer.hasAnswered = true;
  }
  if (response.success) return onAccepted(s, peer, context, isCurrent);
  if (isCurrent) onConflict(s, peer, context, response);
}

function onAccepted(s: RaftState, peer: Progress, context: AppendContext, isCurrent: boolean): void {
  peer.match = Math.max(peer.match, context.lastIndex);
  peer.commitHeard = Math.max(peer.commitHeard, context.leaderCommit);
  if (isBeyondRecovery(context, s.leadership!.firstIndex)) peer.hasLearnedCommit = true;
  if (isCurrent) {
    peer.failures = 0;
    peer.backtrack = 1;
    peer.followsSnapshot = false;
    if (peer.mode === 'probe') peer.mode = 'pipeline';
    peer.next = Math.max(peer.next, peer.match + 1);
    if (peer.commitTold < s.commitIndex && peer.next > s.log.lastIndex) {
      peer.tellCommitAtMs = Math.min(peer.tellCommitAtMs, s.nowMs + s.options.commitTimeoutMs);
    }
  }
  advanceCommit(s);
}

/**
 * Moves back by the follower's last index, and by doubling steps where terms differ: single ones towards op-conductor, which
 * compares nothing below its snapshot's end with anything, and is never found to agree once that was stepped over.
 */
function onConflict(s: RaftState, peer: Progress, context: AppendContext, response: AppendEntriesResponse): void {
  if (response.lastLog < peer.match) {
    s.warn('a follower holds less than it had acknowledged: its store was lost or replaced', {
      server: peer.id,
      acknowledged: peer.match,
      last: response.lastLog,
    });
    peer.match = 0;
  }
  const steps = peer.isNative ? peer.backtrack : 1;
  let next = Math.min(context.prevIndex + 1 - steps, response.lastLog + 1);
  peer.backtrack *= 2;
  // Do not step over the oldest entry that can still be compared.
  const lowest = s.log.termAt(s.log.firstIndex - 1) === null ? s.log.firstIndex + 1 : s.log.firstIndex;
  if (next < lowest && response.lastLog + 1 >= lowest && context.prevIndex + 1 > lowest) next = lowest;
  peer.restart(Math.max(next, peer.match + 1));
  if (peer.followsSnapshot) onSnapshotInVain(s, peer, response.lastLog);
  else if (!response.noRetryBackoff) peer.retryAtMs = s.nowMs + backoffMs(s.options, ++peer.failures);
}

export function onAppendFailed(s: RaftState, peer: Progress, context: AppendContext, reason: string): void {
  if (context.epoch !== peer.epoch) return;
  const wasLong = reason === 'timeout' && peer.inflightBytes >= LONG_APPEND_BYTES;
  // The link of a peer that answers heartbeats may be slow; one that does not is gone.
  if (wasLong && peer.isLive(s.nowMs, s.options)) peer.slowAppends++;
  peer.restart(peer.match > 0 ? peer.match + 1 : Math.min(peer.next, context.prevIndex + 1));
  peer.statusOffered = false;
  peer.hasAnswered = false;
  peer.retryAtMs = s.nowMs + backoffMs(s.options, ++peer.failures);
}

/**
 * A peer that answers the offer is this implementation; one that does not is not, or not any more. What it says in answer
 * to a question from before time passed unseen may be as old as that, and answers nothing that was asked.
 */
function learnStatus(
  s: RaftState,
  peer: Progress,
  { ask }: AppendContext,
  sentMs: number,
  response: AppendEntriesResponse,
): void {
  const peerStatus = response.peerStatus ? decodePeerStatus(response.peerStatus) : null;
  peer.isNative = peerStatus !== null;
  const isNew = sentMs >= s.leadership!.jumpedAtMs;
  if (!peerStatus) peer.peerStatus = null;
  else if (isNew) peer.peerStatus = { peerStatus, atMs: s.nowMs };
  if (peerStatus?.ends === true) s.judgeAtMs = s.nowMs + 1;
  if (peerStatus) s.ownIds.add(peer.id);
  else s.ownIds.delete(peer.id);
  if (isNew) peer.answeredAsk = Math.max(peer.answeredAsk, ask);
  answerAsks(s);
}
