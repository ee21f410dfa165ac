/**
 * Elections without waiting for a timeout when the leader's process is plainly gone (rule 13): all its
 * connections closed, none reopened, and a redial found nobody leading there.
 */
import { campaign, FAST_ROUNDS_MAX, mayCampaign, onPreVote } from './election.ts';
import { ledUntilMs } from './election-timeout.ts';
import { votersOf } from './quorum.ts';
import type { FailureReason } from '../ports.ts';
import { yieldsTurn } from './roles.ts';
import type { RaftState } from './state.ts';
import { JITTER_MS, RANK_MS, YIELD_MS } from './timing.ts';
import type { RequestPreVoteRequest, RpcResponse } from './types.ts';

/** Pre-votes held at once; more are answered as things stand. */
const HELD_MAX = 64;

/** An inbound connection is gone. Was it the last one of this term's leader? */
export function onInboundClosed(s: RaftState, connectionId: number): void {
  const closed = s.inbound.get(connectionId);
  s.inbound.delete(connectionId);
  if (!closed || closed.leaderTerm !== s.term) return;
  for (const other of s.inbound.values()) if (other.leaderTerm === s.term) return;
  suspect(s);
}

function suspect(s: RaftState): void {
  const { leader } = s;
  if (!s.options.fastElections || !leader || leader.id === null || s.suspectedFailure || !mayCampaign(s)) return;
  if (s.fastSpent.leaderId !== leader.id || s.fastSpent.term !== s.term)
    s.fastSpent = { leaderId: leader.id, term: s.term, attempts: 0 };
  if (s.fastSpent.attempts >= FAST_ROUNDS_MAX) return;
  s.suspectedFailure = {
    leaderId: leader.id,
    term: s.term,
    isConfirmed: false,
    isProbing: true,
    isAskedAgain: false,
    attempts: s.fastSpent.attempts,
    campaignAtMs: Infinity,
  };
  probe(s, leader.id, leader.address);
}

function probe(s: RaftState, id: string, lastAddress: string): void {
  const request = {
    ...s.header,
    kind: 'prevote' as const,
    term: s.term + 1,
    lastLogIndex: s.log.lastIndex,
    lastLogTerm: s.log.lastTerm,
  };
  const address = s.membership.find(id)?.address ?? lastAddress;
  s.send({ id, address }, 'vote', request, { kind: 'probeLeader', peerId: id }, s.options.heartbeatTimeoutMs);
}

/** What came of redialling the supposed leader. */
export function onProbeAnswer(s: RaftState, peerId: string, answer: RpcResponse | FailureReason): void {
  const { suspectedFailure } = s;
  if (!suspectedFailure || suspectedFailure.leaderId !== peerId || !suspectedFailure.isProbing) return;
  if (answer === 'reset' && !suspectedFailure.isAskedAgain && s.leader) {
    suspectedFailure.isAskedAgain = true;
    return probe(s, peerId, s.leader.address);
  }
  suspectedFailure.isProbing = false;
  const isGone =
    typeof answer === 'string'
      ? answer === 'refused' || answer === 'reset'
      : answer.kind === 'prevote' && answer.granted;
  if (!isGone) {
    s.suspectedFailure = null;
    return;
  }
  suspectedFailure.isConfirmed = true;
  const live = votersOf(s.membership.latest.configuration)
    .filter((id) => id !== peerId)
    .toSorted();
  const rank = live.indexOf(s.options.id);
  suspectedFailure.campaignAtMs = s.nowMs + rank * RANK_MS + s.randomBetween(0, JITTER_MS);
}

/**
 * Answers a pre-vote, once it is known whether the leader lives: the voters of a dead leader notice within a
 * millisecond of each other, and the first to ask should not be refused by one that is just finding out.
 */
export function receivePreVote(s: RaftState, inboundId: number, request: RequestPreVoteRequest): void {
  if (isFindingOut(s) && s.heldPreVotes.length < HELD_MAX) s.heldPreVotes.push({ inboundId, request });
  else s.reply(inboundId, onPreVote(s, request));
}

/** A redial may hang; once this server believes in the leader no more, nobody waits for it. */
function isFindingOut(s: RaftState): boolean {
  return s.suspectedFailure?.isProbing === true && s.nowMs < ledUntilMs(s);
}

export function answerHeldPreVotes(s: RaftState): void {
  if (s.heldPreVotes.length === 0 || isFindingOut(s)) return;
  const held = s.heldPreVotes;
  s.heldPreVotes = [];
  for (const { inboundId, request } of held) s.reply(inboundId, onPreVote(s, request));
}

/** The turn of this voter has come. */
export function campaignFast(s: RaftState): void {
  const { suspectedFailure } = s;
  if (!suspectedFailure || s.nowMs < suspectedFailure.campaignAtMs) return;
  if (yieldsTurn(s)) {
    suspectedFailure.campaignAtMs = s.nowMs + YIELD_MS;
    return;
  }
  suspectedFailure.campaignAtMs = Infinity;
  if (s.round || suspectedFailure.term !== s.term) return;
  suspectedFailure.attempts++;
  s.fastSpent.attempts = suspectedFailure.attempts;
  campaign(s, { isTransfer: false, isFast: true });
}
