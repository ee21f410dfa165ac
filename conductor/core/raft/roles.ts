/** Changes of role that need nothing else: following, losing leadership, hearing from a leader, and whose turn it is. */
import type { PeerStatus } from '../wire/peer-status.ts';
import { electionAfterContactMs, randomElectionTimeoutMs } from './election-timeout.ts';
import { mayTakeOver } from './leadership.ts';
import { votersOf } from './quorum.ts';
import type { RaftState } from './state.ts';
import type { Candidate } from './types.ts';

/** Follows in `term` (≥ the current one). Whatever this server led or asked for is over. */
export function becomeFollower(s: RaftState, term: number, reason: string): void {
  const isNewTerm = term > s.term;
  if (isNewTerm) {
    s.setHard({ term });
    s.suspectedFailure = null;
    setLeader(s, null);
  }
  const wasFollower = s.role === 'follower';
  if (s.role === 'leader') {
    resign(s, reason);
    setLeader(s, null);
  }
  s.role = 'follower';
  s.round = null;
  if (!wasFollower) {
    s.outbox.notices.push({ kind: 'role', role: 'follower', term: s.term, reason });
    // A server that just stopped leading or asking gives the others their turn.
    s.electionAtMs = s.nowMs + randomElectionTimeoutMs(s);
  }
}

/** Ends leadership: what is pending in the log may still commit (unknown), reads have no effect (refused). */
function resign(s: RaftState, reason: string): void {
  const led = s.leadership!;
  s.leadership = null;
  for (const [index, entry] of led.entries) {
    s.outbox.results.push({
      kind: 'unknown',
      requestId: entry.requestId,
      reason: `leadership lost: ${reason}`,
      index,
      term: s.log.termAt(index) ?? 0,
    });
  }
  for (const { requestId } of [...led.reads, ...led.asks])
    s.refuse(requestId, 'not-leader', `leadership lost: ${reason}`);
  if (led.staging) {
    const { requestId, id } = led.staging.command;
    const lost = `leadership lost: ${reason}; server ${id} may be a member already, as a nonvoter`;
    s.outbox.results.push({ kind: 'unknown', requestId, reason: lost, index: s.log.lastIndex, term: s.term });
  }
  if (led.moving) s.refuse(led.moving.requestId, 'not-leader', `leadership lost: ${reason}`);
  if (led.transfer && mayTakeOver(led.transfer)) {
    s.outbox.results.push({
      kind: 'done',
      requestId: led.transfer.requestId,
      index: s.commitIndex,
      term: s.term,
      value: led.transfer.target,
    });
  } else if (led.transfer) {
    const { requestId, target, toldInstead } = led.transfer;
    const lost =
      toldInstead === null ? 'leadership lost' : `${toldInstead} was told to take over in place of ${target}`;
    s.refuse(requestId, 'not-leader', `${lost}: ${reason}`);
  }
}

export function setLeader(s: RaftState, leader: Candidate | null): void {
  const same = s.leader?.address === leader?.address && s.leader?.id === leader?.id;
  s.leader = leader;
  // Whoever leads has what is missing here, and will tell it.
  if (leader !== null) s.inquiry.mayBeVoter = false;
  if (!same) {
    s.leaderStatus = null;
    s.leaderKnowsEnd = false;
    s.outbox.notices.push({
      kind: 'leader',
      leaderId: leader?.id ?? null,
      address: leader?.address ?? null,
      term: s.term,
    });
  }
}

/** A sign of life of this term's leader. */
export function noteLeaderContact(s: RaftState, leader: Candidate): void {
  setLeader(s, leader);
  s.round = null;
  s.suspectedFailure = null;
  s.failedElections = 0;
  s.hasYielded = false;
  s.contactMs = s.nowMs;
  s.electionAtMs = electionAfterContactMs(s);
}

/** Not known to have a sequencer that could not work, nor to be paused. */
export function isEligible({ healthy, paused }: Pick<PeerStatus, 'healthy' | 'paused'>): boolean {
  return healthy !== false && !paused;
}

/**
 * Whether a server whose turn to ask for votes has come lets the others go first: once, if its sequencer could not
 * work (rule 17). Not where an operator has started that sequencer beside a paused conductor: elsewhere it is told that it
 * does not lead, and nobody who is paused does anything about it. Only its own timers ask this; a hand-over does not.
 */
export function yieldsTurn(s: RaftState): boolean {
  if (
    isEligible(s.localStatus) ||
    s.hasYielded ||
    s.localStatus.builds ||
    votersOf(s.membership.latest.configuration).length < 2
  )
    return false;
  s.hasYielded = true;
  return true;
}
