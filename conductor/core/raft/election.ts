/**
 * Elections: asking for pre-votes and votes, granting them, and who may be asked how soon
 * (thesis §3.4, §3.6.1, §4.2.3, §9.6; hashicorp-raft-wire.md §7; rules 9, 10 and 12).
 */
import {
  allVotersNative,
  isInContactWithLeader,
  ledUntilMs,
  randomElectionTimeoutMs,
  retryTimeoutMs,
} from './election-timeout.ts';
import { shortened } from './alarms.ts';
import { addressOf } from './identity.ts';
import { becomeLeader } from './leader.ts';
import { quorumSize, votersOf } from './quorum.ts';
import { isAloneByBootstrap } from './recovery.ts';
import { becomeFollower, setLeader } from './roles.ts';
import type { Campaign } from './episodes.ts';
import type { RaftState } from './state.ts';
import { askMembers, isPromoted, membersFor, standingOf } from './strangers.ts';
import { FAST_RETRY_MS, SPLIT_VOTE_PART } from './timing.ts';
import type { Ballot, Candidate, RequestPreVoteRequest, RequestVoteRequest, RpcResponse } from './types.ts';

/** Fast rounds per leader and term; then the normal timers rule. */
export const FAST_ROUNDS_MAX = 3;

export function mayCampaign(s: RaftState): boolean {
  return s.role !== 'leader' && (s.isVoter || wasVoter(s) || isSaidToVote(s)) && !s.hard.recovering && !s.hasFailed;
}

/** A server whose own removal or demotion is not committed yet may be the only one who can commit it (thesis §4.2.2). */
function wasVoter(s: RaftState): boolean {
  const { latest } = s.membership;
  if (latest.index <= s.commitIndex) return false;
  return votersOf(s.membership.at(latest.index - 1).configuration).includes(s.options.id);
}

/**
 * A nonvoter whose own promotion is missing here, and whose log is ahead of the others' all the same, is the only one that can win
 * where they need its vote (record 0144).
 */
function isSaidToVote({ inquiry, membership, options }: RaftState): boolean {
  return inquiry.mayBeVoter && inquiry.introduced.get(options.id) === true && membership.find(options.id) !== undefined;
}

/**
 * Asked for its vote, a nonvoter may be one to whoever asks. Not for one whose log ends below this server's membership: that one
 * may not have heard that it was demoted.
 */
function askWhetherVoter(s: RaftState, { lastLogIndex }: Ballot): void {
  if (s.isVoter || lastLogIndex <= s.membership.latest.index) return;
  s.inquiry.mayBeVoter = true;
  askMembers(s, 'members');
}

/** Begins a round: a pre-vote, or at once a vote when leadership was handed over (thesis §3.10). */
export function campaign(s: RaftState, how: { isTransfer: boolean; isFast: boolean }): void {
  if (!mayCampaign(s)) return;
  const isAlone = votersOf(s.membership.latest.configuration).every((id) => id === s.options.id);
  startCampaign(s, how.isTransfer || isAlone ? 'vote' : 'prevote', how);
}

function startCampaign(s: RaftState, kind: Campaign['kind'], how: { isTransfer: boolean; isFast: boolean }): void {
  const term = s.term + 1;
  const { isTransfer, isFast } = how;
  s.round = {
    id: s.nextRoundId(),
    kind,
    term,
    isTransfer,
    isFast,
    sinceMs: s.nowMs,
    granted: new Set([s.options.id]),
    answered: new Set([s.options.id]),
  };
  // Fast rounds come on top of the normal timers.
  if (!isFast) s.electionAtMs = s.nowMs + (allVotersNative(s) ? s.options.electionTimeoutMs : 0) + retryTimeoutMs(s);
  if (kind === 'vote') {
    s.role = 'candidate';
    setLeader(s, null);
    s.setHard({ term, votedTerm: term, votedFor: { id: s.options.id, address: s.options.address } });
    s.outbox.notices.push({
      kind: 'role',
      role: 'candidate',
      term,
      reason: isTransfer ? 'leadership was handed over' : isFast ? 'the leader is gone' : 'no word of a leader',
    });
  }
  const last = { lastLogIndex: s.log.lastIndex, lastLogTerm: s.log.lastTerm };
  for (const peer of s.others) {
    if (!s.membership.isVoter(peer.id)) continue;
    const request: Ballot =
      kind === 'prevote'
        ? { ...s.header, kind, term, ...last }
        : { ...s.header, kind, term, candidate: s.options.address, ...last, leadershipTransfer: isTransfer };
    // On the connection that heartbeats will take: a new leader's first one has no round trip to wait for.
    s.send(
      peer,
      'heartbeat',
      request,
      { kind: 'ballot', peerId: peer.id, round: s.round.id },
      s.options.electionTimeoutMs,
    );
  }
}

/** An answer to a ballot, or null when none can come any more. */
export function onBallotAnswer(
  s: RaftState,
  context: { peerId: string; round: number },
  response: RpcResponse | null,
): void {
  const { round } = s;
  if (!round || round.id !== context.round || round.answered.has(context.peerId)) return;
  const ballot = response?.kind === 'vote' || response?.kind === 'prevote' ? response : null;
  if (ballot && ballot.term > round.term)
    return becomeFollower(s, ballot.term, `server ${context.peerId} is in a later term`);
  round.answered.add(context.peerId);
  if (ballot?.granted) round.granted.add(context.peerId);
  // Rule 13: the supposed leader itself was asked, and says no: it lives.
  if (round.isFast && ballot && !ballot.granted && context.peerId === s.suspectedFailure?.leaderId) {
    s.suspectedFailure = null;
    return failElection(s, round);
  }
  if (!countVotes(s)) {
    const voters = votersOf(s.membership.latest.configuration);
    const refused = voters.filter((id) => round.answered.has(id) && !round.granted.has(id)).length;
    if (voters.length - refused < quorumSize(voters.length)) failElection(s, round);
    else if (refused > 0) doNotWaitLong(s, round);
  }
}

/**
 * A vote was refused though its pre-vote was granted: another candidate of this term has it. The rest may be silent
 * for good, like a leader that is cut off, so the next round does not wait a whole election timeout for them.
 */
function doNotWaitLong(s: RaftState, round: Campaign): void {
  if (round.kind !== 'vote' || round.isFast || !allVotersNative(s)) return;
  const waitMs = s.options.heartbeatTimeoutMs * SPLIT_VOTE_PART + retryTimeoutMs(s);
  s.electionAtMs = Math.min(s.electionAtMs, s.nowMs + waitMs);
}

/** Goes on when a majority has granted; also called once a vote for itself is durable, for a voter alone. */
export function countVotes(s: RaftState): boolean {
  const { round } = s;
  if (!round || s.hardChanged) return false;
  const voters = votersOf(s.membership.latest.configuration);
  if (voters.filter((id) => round.granted.has(id)).length < quorumSize(voters.length)) return false;
  if (round.kind === 'prevote') startCampaign(s, 'vote', round);
  else becomeLeader(s);
  return true;
}

function failElection(s: RaftState, round: Campaign): void {
  s.round = null;
  if (round.isFast) {
    const { electionAtMs } = s;
    if (s.role === 'candidate') becomeFollower(s, s.term, 'the votes went elsewhere');
    s.electionAtMs = electionAtMs;
  } else {
    s.failedElections++;
    if (s.role === 'candidate') becomeFollower(s, s.term, 'the votes went elsewhere');
    // Silent for a whole timeout, and no majority to elect another: whoever asks is not told that it leads.
    else if (s.nowMs >= ledUntilMs(s)) setLeader(s, null);
    s.electionAtMs = Math.max(s.nowMs, ledUntilMs(s)) + retryTimeoutMs(s);
  }
  const { suspectedFailure } = s;
  if (round.isFast && suspectedFailure?.isConfirmed && suspectedFailure.attempts < FAST_ROUNDS_MAX) {
    suspectedFailure.term = s.term;
    suspectedFailure.campaignAtMs = s.nowMs + s.randomBetween(FAST_RETRY_MS.min, FAST_RETRY_MS.max);
  }
}

function candidateOf(request: Ballot): Candidate {
  return { id: request.id === '' ? null : request.id, address: addressOf(request) };
}

function isMemberOrNobodyIs(s: RaftState, id: string | null): boolean {
  if (isAloneByBootstrap(s)) return false;
  const { latest } = s.membership;
  // Whoever joined by what is missing here is a member to another one (record 0144).
  const isMember = s.membership.find(id ?? '') !== undefined || s.inquiry.introduced.get(id ?? '') === true;
  return latest.configuration.servers.length === 0 || isMember;
}

function isVoterOrNobodyIs(s: RaftState, request: Ballot): boolean {
  if (s.membership.latest.configuration.servers.length === 0 || s.membership.isVoter(request.id ?? '')) return true;
  return isPromoted(s, request);
}

/** Rule 10: only a configured voter can say that leadership was handed to it. */
function isHandedOver(s: RaftState, request: RequestVoteRequest, { id }: Candidate): boolean {
  return request.leadershipTransfer && s.membership.isVoter(id ?? '');
}

function isUpToDate(s: RaftState, request: { lastLogTerm: number; lastLogIndex: number }): boolean {
  if (request.lastLogTerm !== s.log.lastTerm) return request.lastLogTerm > s.log.lastTerm;
  return request.lastLogIndex >= s.log.lastIndex;
}

/** A store that was never part of a cluster vouches for nobody (rule 9), unless told to do as Go does. */
function mayVouch(s: RaftState): boolean {
  if (s.hasFailed || s.hard.recovering) return false;
  return s.membership.latest.configuration.servers.length > 0 || s.options.legacyEmptyStore;
}

export function onPreVote(s: RaftState, request: RequestPreVoteRequest): RpcResponse {
  const members = membersFor(s, request);
  const answer = (granted: boolean, term = s.term): RpcResponse => {
    return { ...s.header, kind: 'prevote', term, granted, ...members };
  };
  if (isInContactWithLeader(s, candidateOf(request))) return answer(false);
  if (!isMemberOrNobodyIs(s, request.id)) {
    // Not yet: this asks the members.
    if (!isAloneByBootstrap(s)) isPromoted(s, request);
    return answer(false);
  }
  if (request.term < s.term) return answer(false);
  if (!isUpToDate(s, request)) askWhetherVoter(s, request);
  const granted = isVoterOrNobodyIs(s, request) && isUpToDate(s, request) && mayVouch(s);
  return answer(granted, request.term);
}

export function onVote(s: RaftState, request: RequestVoteRequest): RpcResponse {
  const answer = (granted: boolean): RpcResponse => ({ ...s.header, kind: 'vote', term: s.term, granted });
  const candidate = candidateOf(request);
  if (!isMemberOrNobodyIs(s, candidate.id)) return answer(false);
  if (isInContactWithLeader(s, candidate) && !isHandedOver(s, request, candidate)) return answer(false);
  if (request.term < s.term) return answer(false);
  if (standingOf(s, request) !== 'welcome') return answer(false);
  if (request.term > s.term)
    becomeFollower(
      s,
      request.term,
      `server ${shortened(candidate.id ?? candidate.address)} asks for votes in a later term`,
    );
  if (!isVoterOrNobodyIs(s, request) || !mayVouch(s)) return answer(false);
  const { votedTerm, votedFor } = s.hard;
  if (votedTerm >= request.term) {
    if (!votedFor) return answer(false);
    // Two processes may have one id: the vote is that of the pair, as the earlier request named it (rule 32).
    const isSame = votedFor.id === candidate.id && votedFor.address === candidate.address;
    return answer(isSame && votedTerm === request.term);
  }
  if (!isUpToDate(s, request)) return answer(false);
  s.setHard({ votedTerm: request.term, votedFor: candidate });
  s.contactMs = s.nowMs;
  s.electionAtMs = s.nowMs + randomElectionTimeoutMs(s);
  return answer(true);
}
