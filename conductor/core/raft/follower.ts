/**
 * The follower's side of replication (thesis figure 3.1, AppendEntries; hashicorp-raft-wire.md §8): what a
 * leader's append or heartbeat does here and what is answered.
 */
import { assert } from '../assert.ts';
import { decodeConfiguration } from '../wire/configuration.ts';
import { decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { raiseAlarm, shortened } from './alarms.ts';
import { commitTo } from './commit.ts';
import { appendEntries, isAnother } from './append.ts';
import { electionAfterContactMs, learnFromHeartbeat, promise } from './election-timeout.ts';
import { endRecovery, holdReply, isAloneByBootstrap, mayAcknowledge, releaseHeld } from './recovery.ts';
import { becomeFollower, noteLeaderContact } from './roles.ts';
import { onStranger, standingOf } from './strangers.ts';
import type { InboundConnection } from './episodes.ts';
import type { RaftState } from './state.ts';
import {
  EntryType,
  type AppendEntriesRequest,
  type AppendEntriesResponse,
  type Candidate,
  type Entry,
  type InstallSnapshotRequest,
} from './types.ts';

/** Identifies one inbound request. */
export interface InboundRequest {
  readonly connectionId: number;
  readonly inboundId: number;
}

export function isHeartbeat(request: AppendEntriesRequest): boolean {
  const hasNoEntries = request.entries === null || request.entries.length === 0;
  return (
    request.term !== 0 &&
    hasNoEntries &&
    request.prevLogIndex === 0 &&
    request.prevLogTerm === 0 &&
    request.leaderCommit === 0
  );
}

/** Why a request of a leader is not taken. */
type Refusal = 'foreign' | 'stranger' | 'unexplained' | 'elsewhere' | 'second';

/** Follows the sender of a leader's request in its term, or says why it cannot. */
export function acceptLeader(
  s: RaftState,
  from: InboundRequest,
  request: AppendEntriesRequest | InstallSnapshotRequest,
): 'stale' | Refusal | InboundConnection {
  const address = request.address ?? request.leader ?? '';
  const sender: Candidate = { id: request.id || (s.membership.findByAddress(address)?.id ?? null), address };
  if (isAloneByBootstrap(s) && sender.id !== s.options.id) return 'foreign';
  const standing = standingOf(s, request);
  if (standing === 'stranger') onStranger(s, request);
  if (standing !== 'welcome') return standing;
  if (request.term < s.term) return 'stale';
  if (request.term === s.term && s.leader && isAnotherLeader(s.leader, sender)) {
    secondLeader(s, 'a second server leads in the term of the leader', { ...sender, term: s.term });
    return 'second';
  }
  if (request.term > s.term || s.role !== 'follower') becomeFollower(s, request.term, `${shortened(address)} leads`);
  if (request.kind === 'append' && isHeartbeat(request)) learnFromHeartbeat(s, request);
  noteLeaderContact(s, sender);
  const connection = s.inbound.get(from.connectionId)!;
  if (connection.leaderTerm !== request.term) {
    connection.leaderTerm = request.term;
    connection.hasAnswered = false;
    connection.hasAgreed = false;
    connection.isNative = false;
    connection.coveredTo = 0;
  }
  return connection;
}

/** One server of a term is elected, under one name: another one's copy of its id or of its disk is not. */
function isAnotherLeader(leader: Candidate, sender: Candidate): boolean {
  return leader.address !== sender.address || (leader.id ?? sender.id) !== (sender.id ?? leader.id);
}

function secondLeader(s: RaftState, what: string, fields: Readonly<Record<string, unknown>>): void {
  const message = `${what}: nothing is acknowledged to it, as two servers have one id or one disk was copied`;
  raiseAlarm(s, 'second-leader', '', message, { ...fields, leader: s.leader?.id, leaderAddr: s.leader?.address });
}

/** Why a leader's request was not taken, for the log of whoever sent it. */
export function whyRefused(s: RaftState, refusal: Refusal): string {
  const { id } = s.options;
  switch (refusal) {
    case 'foreign':
      return `server ${id} leads a cluster of its own: wipe its store before it is added to another`;
    case 'stranger':
      return `server ${id} does not know the sender as a member`;
    case 'second':
      return `server ${id} knows another leader of term ${s.term}`;
    case 'elsewhere':
      return `server ${id} knows a member of that name at another address, and asks it before it follows`;
    case 'unexplained':
      return `server ${id} asks the other members before it follows anybody this far beyond term ${s.term}`;
  }
}

export function onAppend(s: RaftState, from: InboundRequest, request: AppendEntriesRequest): void {
  const lastLog = s.log.lastIndex;
  const answer = (success: boolean, noRetryBackoff = false): AppendEntriesResponse => ({
    ...s.header,
    kind: 'append',
    term: s.term,
    lastLog,
    success,
    noRetryBackoff,
  });
  const connection = acceptLeader(s, from, request);
  if (connection === 'stale') return s.reply(from.inboundId, answer(false));
  if (typeof connection === 'string')
    return s.reply(from.inboundId, { kind: 'error', message: whyRefused(s, connection) });
  if (isHeartbeat(request)) return acknowledge(s, from, connection, { ...answer(true), ...promise(s, request) });
  const peerStatus = request.peerStatus ? answerStatus(s, connection, request) : {};
  if (!matchesPrevious(s, request)) return answered(s, from, connection, { ...answer(false, true), ...peerStatus });
  const problem = checkEntries(s, request);
  if (problem) return s.reply(from.inboundId, { kind: 'error', message: problem });
  appendMissing(s, request.entries ?? []);
  const verifiedTo = request.prevLogIndex + (request.entries?.length ?? 0);
  commitTo(s, Math.max(s.commitIndex, Math.min(request.leaderCommit, verifiedTo)));
  endRecovery(s, connection, request, verifiedTo);
  releaseHeld(s);
  acknowledge(s, from, connection, { ...answer(s.term === request.term), ...peerStatus });
}

/** Replies success, unless a lost store forbids it for now (rule 9). */
function acknowledge(
  s: RaftState,
  from: InboundRequest,
  connection: InboundConnection,
  response: AppendEntriesResponse,
): void {
  if (mayAcknowledge(s)) answered(s, from, connection, response);
  else holdReply(s, { ...from, response, term: s.term });
}

function answered(
  s: RaftState,
  from: InboundRequest,
  connection: InboundConnection,
  response: AppendEntriesResponse,
): void {
  connection.hasAnswered = true;
  connection.hasAgreed = response.success;
  s.reply(from.inboundId, response);
}

/** Log matching: does this log hold the entry before the new ones? Below the commit index every leader's log agrees. */
function matchesPrevious(s: RaftState, request: AppendEntriesRequest): boolean {
  if (request.prevLogIndex === 0) return true;
  const term = s.log.termAt(request.prevLogIndex);
  if (term === null) return request.prevLogIndex <= s.commitIndex;
  return term === request.prevLogTerm;
}

/** Appends what is new; cuts an uncommitted tail only where a term really differs. */
function appendMissing(s: RaftState, entries: readonly Entry[]): void {
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    if (entry.index <= s.commitIndex) {
      const held = s.log.summaryAt(entry.index);
      assert(!held || held.term === entry.term, 'no leader contradicts a committed entry');
      continue;
    }
    if (entry.index <= s.log.lastIndex) {
      if (s.log.termAt(entry.index) === entry.term) continue;
      s.log.truncate(entry.index);
      s.membership.truncate(entry.index);
    }
    appendEntries(s, entries.slice(i));
    // Their leader may be writing them from now on.
    s.electionAtMs = electionAfterContactMs(s);
    return;
  }
}

/** What no correct leader sends; a message when the request must be refused whole. */
function checkEntries(s: RaftState, request: AppendEntriesRequest): string | null {
  let index = request.prevLogIndex;
  let term = request.prevLogTerm;
  for (const entry of request.entries ?? []) {
    if (entry.index !== ++index) return `entry ${entry.index} does not follow ${index - 1}`;
    if (entry.term < term || entry.term > request.term)
      return `entry ${entry.index} has term ${entry.term}, out of order`;
    term = entry.term;
    const heldTerm = entry.index <= s.commitIndex ? s.log.termAt(entry.index) : null;
    if (heldTerm !== null && heldTerm !== term)
      return `entry ${entry.index} has term ${term} where ${heldTerm} is committed`;
    if (isAnother(s, entry)) {
      secondLeader(s, 'an entry is held already with other content', { index, term });
      return `entry ${index} of term ${term} is held already, with other content`;
    }
    if (entry.type !== EntryType.configuration) continue;
    try {
      decodeConfiguration(entry.data ?? new Uint8Array());
    } catch (error) {
      return `entry ${entry.index} holds no configuration: ${String(error)}`;
    }
  }
  return null;
}

/** Rule 16: peer status goes back only to a leader that offered some. */
function answerStatus(
  s: RaftState,
  connection: InboundConnection,
  request: AppendEntriesRequest,
): { peerStatus?: Uint8Array } {
  const peerStatus = decodePeerStatus(request.peerStatus!);
  if (peerStatus) {
    connection.isNative = true;
    s.leaderStatus = { peerStatus, atMs: s.nowMs };
    s.ownIds = new Set(peerStatus.own);
    if (s.leader?.id) s.ownIds.add(s.leader.id);
  }
  s.leaderKnowsEnd = s.localStatus.ends;
  return { peerStatus: encodePeerStatus(s.localStatus) };
}
