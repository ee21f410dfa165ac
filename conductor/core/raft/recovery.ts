/**
 * Servers with a new store (rule 9): they may have promised something under the store that was lost. Such a server
 * first asks every other voter how far terms have come, and acknowledges nothing before it knows; it neither
 * votes nor campaigns until its log holds what a live leader of its own term has committed. Whether it is a voter
 * itself does not matter: the part of the log that it has so far may be older than its own membership.
 */
import { question } from './identity.ts';
import type { RequestContext } from './pending-requests.ts';
import { becomeFollower } from './roles.ts';
import { votersOf } from './quorum.ts';
import type { InboundConnection, Recovery } from './episodes.ts';
import type { RaftState } from './state.ts';
import { TERM_QUESTION, UNSEEN_TERMS } from './timing.ts';
import type { AppendEntriesRequest, RpcResponse } from './types.ts';

const PASSED_OVER = 'recovering: a voter stayed silent and is passed over';
/** Replies held back at once; a connection has one at most, so this bounds connections of impatient leaders. */
const HELD_MAX = 256;

/** Said once, when an election timeout passes without a leader: a server that waits looks like one that is stuck. */
export function sayThatItWaits(s: RaftState): void {
  if (s.hasSaidThatItWaits) return;
  s.hasSaidThatItWaits = true;
  s.warn('the store is new: this server neither votes nor campaigns until a leader has brought it up to date', {
    members: s.membership.latest.configuration.servers.length,
  });
}

/** Whether an acknowledgement may leave now; if not, the questions are under way and the reply waits. */
export function mayAcknowledge(s: RaftState): boolean {
  if (!s.hard.recovering) return true;
  // Without a configuration it is not known yet whom to ask.
  if (s.membership.latest.configuration.servers.length === 0) return false;
  return unsettled(s).length === 0;
}

function unsettled(s: RaftState): string[] {
  return s.recovery?.isTimedOut === true ? [] : silentVoters(s);
}

/** Those whose term is not known. */
function silentVoters(s: RaftState): string[] {
  const voters = votersOf(s.membership.latest.configuration).filter((id) => id !== s.options.id);
  return voters.filter((id) => s.recovery?.asked.get(id) !== 'settled');
}

export function holdReply(s: RaftState, held: Recovery['held'][number]): void {
  s.recovery ??= { asked: new Map(), deadlineMs: Infinity, retryAtMs: Infinity, isTimedOut: false, held: [] };
  if (s.recovery.held.length >= HELD_MAX) {
    s.reply(held.inboundId, { kind: 'error', message: 'this server is recovering a lost store' });
    return;
  }
  s.recovery.held.push(held);
  askTerms(s);
}

/** Asks every voter that has not answered yet; the pre-vote's grant means nothing, its term does. */
function askTerms(s: RaftState): void {
  const { recovery } = s;
  if (!recovery) return;
  if (recovery.deadlineMs === Infinity) {
    recovery.deadlineMs =
      s.nowMs + TERM_QUESTION.timeoutsMax * Math.max(s.options.heartbeatTimeoutMs, s.options.electionTimeoutMs);
  }
  for (const id of unsettled(s)) {
    if (recovery.asked.get(id) === 'asking') continue;
    recovery.asked.set(id, 'asking');
    s.send(
      { id, address: s.membership.find(id)!.address },
      'vote',
      question(s),
      { kind: 'askTerm', peerId: id },
      TERM_QUESTION.timeoutMs,
    );
  }
}

/** A voter's answer, or null when it could not be reached: it is then asked again until the deadline. */
export function onTermAnswer(s: RaftState, peerId: string, response: RpcResponse | null): void {
  const { recovery } = s;
  if (!recovery || !s.hard.recovering) return;
  if (response?.kind !== 'prevote') {
    recovery.asked.delete(peerId);
    recovery.retryAtMs = s.nowMs + TERM_QUESTION.againMs;
    return;
  }
  recovery.asked.set(peerId, 'settled');
  if (response.term > s.term) becomeFollower(s, response.term, `recovering: server ${peerId} is in a later term`);
  releaseHeld(s);
}

/**
 * Deadlines of the questions. Silent voters are waited for once: nothing was acknowledged meanwhile, so whoever still
 * leads does so without this server's help.
 */
export function tickRecovery(s: RaftState): void {
  const { recovery } = s;
  if (!recovery || !s.hard.recovering) return;
  if (s.nowMs >= recovery.deadlineMs) {
    for (const id of unsettled(s)) s.warn(PASSED_OVER, { server: id });
    recovery.isTimedOut = true;
    recovery.deadlineMs = Infinity;
    releaseHeld(s);
  } else if (s.nowMs >= recovery.retryAtMs) {
    recovery.retryAtMs = Infinity;
    askTerms(s);
  }
}

/** Lets go of what was held back, as far as it still holds: a leader of an older term is told so instead. */
export function releaseHeld(s: RaftState): void {
  const { recovery } = s;
  if (!recovery || recovery.held.length === 0) return;
  if (!mayAcknowledge(s)) return askTerms(s);
  const { held } = recovery;
  recovery.held = [];
  recovery.deadlineMs = Infinity;
  recovery.retryAtMs = Infinity;
  for (const { inboundId, connectionId, response, term } of held) {
    const isStale = term < s.term;
    const isAppendOrSnapshot = response.kind === 'append' || response.kind === 'snapshot';
    s.reply(inboundId, isStale && isAppendOrSnapshot ? { ...response, term: s.term, success: false } : response);
    const connection = s.inbound.get(connectionId);
    if (!connection || isStale) continue;
    connection.hasAnswered = true;
    connection.hasAgreed = response.kind === 'append' && response.success;
  }
}

/**
 * Recovery is over when the log reaches a commit index whose entry has the sending leader's term, told in a request
 * that follows a reply of ours on that connection, and all that this server may have acknowledged to it under the
 * store that was lost is covered (rule 33). This term then counts as voted in, for nobody; and where a voter was passed over,
 * so do those that it may know of and nobody else: the lost store may hold a vote for it there (record 0159).
 */
export function endRecovery(
  s: RaftState,
  connection: InboundConnection,
  { leaderCommit, entries }: Pick<AppendEntriesRequest, 'leaderCommit' | 'entries'>,
  isVerifiedTo: number,
): void {
  if (!s.hard.recovering || !connection.hasAnswered || !mayAcknowledge(s)) return;
  // An empty request before we agreed may only look for where the logs do.
  const hasNothingToSend = connection.hasAgreed && (entries?.length ?? 0) === 0;
  if (hasNothingToSend && connection.coveredTo === 0) connection.coveredTo = isVerifiedTo;
  // Go tells of all that it has committed, ours of what the request verifies.
  const commit = connection.isNative ? leaderCommit : Math.min(leaderCommit, isVerifiedTo);
  if (commit === 0 || commit > isVerifiedTo || s.log.termAt(commit) !== s.term) return;
  if (!isCovered(connection, { commit, isVerifiedTo, hasNothingToSend })) return;
  releaseHeld(s);
  if (silentVoters(s).length > 0) becomeFollower(s, s.term + UNSEEN_TERMS, PASSED_OVER);
  s.setHard({ recovering: false, votedTerm: s.term, votedFor: null });
  s.recovery = null;
  s.outbox.notices.push({ kind: 'recovered', index: commit, term: s.term });
}

interface Told {
  readonly commit: number;
  readonly isVerifiedTo: number;
  readonly hasNothingToSend: boolean;
}

/**
 * From a leader of ours all that is committed is known when the request goes further, or has nothing to send. Go never
 * lowers what it counts as held here, so it may commit by what was lost. When it had nothing to send once, this server
 * had all of its log, and beyond that nothing was acknowledged before: once that is committed nothing can be missed.
 */
function isCovered(
  { isNative, coveredTo }: InboundConnection,
  { commit, isVerifiedTo, hasNothingToSend }: Told,
): boolean {
  if (isNative) return commit < isVerifiedTo || hasNothingToSend;
  return coveredTo > 0 && commit >= coveredTo;
}

/**
 * As its leader sees it: whoever accepts this request is not recovering, or not any more. Its term began at `firstIndex`. An
 * answer before the request was sent is not enough: what is accepted first may have been held back, which ends nothing, and
 * so may what follows while it learns of further voters.
 */
export function isBeyondRecovery(
  { isInStep, prevIndex, lastIndex, leaderCommit }: Extract<RequestContext, { kind: 'append' }>,
  firstIndex: number,
): boolean {
  return isInStep && leaderCommit >= firstIndex && (leaderCommit < lastIndex || prevIndex === lastIndex);
}

/**
 * A bootstrapped server whose configuration names itself alone leads a cluster of its own and follows nobody (rule 9).
 * One that is recovering did not bootstrap: it holds no more yet than the first entry of the log it is being sent.
 */
export function isAloneByBootstrap(s: RaftState): boolean {
  if (s.hard.recovering) return false;
  const { servers } = s.membership.latest.configuration;
  return servers.length === 1 && servers[0]!.id === s.options.id;
}
