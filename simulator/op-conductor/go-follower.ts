/**
 * What hashicorp/raft v1.7.3 answers (wire reference, sections 7, 8 and 12), whatever role it has: a leader it knows of
 * keeps it from voting until its own heartbeat timer says otherwise, and a server that lost its disk votes at once. Kinder
 * than Go's in two things: a snapshot older than what is applied is left, and an append that follows the snapshot is taken,
 * also where entries come after that.
 */
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import {
  EntryType,
  type AppendEntriesRequest,
  type AppendEntriesResponse,
  type Entry,
  type InstallSnapshotRequest,
  type RequestPreVoteRequest,
  type RequestVoteRequest,
  type RpcRequest,
  type RpcResponse,
} from '#conductor/core/raft/types';
import { campaign } from './go-election.ts';
import { become, commitTo, follow } from './go-role.ts';
import type { GoState } from './go-state.ts';

/** Versions of the protocol, and of snapshots, that it takes. */
const PROTOCOL_VERSIONS = [2, 3];
const SNAPSHOT_VERSIONS = [0, 1];
const UNSUPPORTED = 'operation not supported with current protocol version';

/** Go's responses to these two have no header. */
const NOBODY = { protocolVersion: 0, id: null, address: null } as const;

/** The answer; null for a request that hashicorp/raft does not know: it hangs up. */
export function answerOf(s: GoState, request: RpcRequest): RpcResponse | null {
  if (!PROTOCOL_VERSIONS.includes(request.protocolVersion) && !isHeartbeat(request))
    return { kind: 'error', message: UNSUPPORTED };
  switch (request.kind) {
    case 'append':
      return append(s, request);
    case 'vote':
      return { ...s.header, kind: 'vote', ...vote(s, request) };
    case 'prevote':
      return { ...s.header, kind: 'prevote', ...preVote(s, request) };
    case 'snapshot':
      return { ...NOBODY, kind: 'snapshot', ...install(s, request) };
    case 'timeoutNow':
      become(s, 'candidate');
      s.isTransferTarget = true;
      campaign(s);
      return { ...NOBODY, kind: 'timeoutNow' };
    default:
      return null;
  }
}

/** These take a way of their own, on which nobody looks at the version. */
function isHeartbeat(request: RpcRequest): boolean {
  if (request.kind !== 'append' || request.term === 0 || (request.entries ?? []).length > 0) return false;
  return request.prevLogIndex === 0 && request.prevLogTerm === 0 && request.leaderCommit === 0;
}

function append(s: GoState, request: AppendEntriesRequest): AppendEntriesResponse {
  const lastLog = s.log.lastIndex;
  const answer = (success: boolean, noRetryBackoff = false): AppendEntriesResponse => ({
    ...s.header,
    kind: 'append',
    term: s.term,
    lastLog,
    success,
    noRetryBackoff,
  });
  if (request.term < s.term) return answer(false);
  if (request.term > s.term || (s.role !== 'follower' && !s.isTransferTarget)) follow(s, request.term);
  s.leader = { id: request.id ?? '', address: request.address ?? request.leader ?? '' };
  const { prevLogIndex, prevLogTerm } = request;
  if (prevLogIndex > 0 && s.log.termAt(prevLogIndex) !== prevLogTerm) return answer(false, true);
  if (!store(s, request.entries ?? [])) return answer(false);
  if (request.leaderCommit > s.commitIndex) commitTo(s, Math.min(request.leaderCommit, s.log.lastIndex));
  s.lastContactMs = s.nowMs;
  return answer(true);
}

/** Appends what is not there yet, in place of what conflicts; false where an entry behind the snapshot cannot be compared. */
function store(s: GoState, entries: readonly Entry[]): boolean {
  const fresh = entries.findIndex(({ index, term }) => index > s.log.lastIndex || s.log.termAt(index) !== term);
  if (fresh < 0) return true;
  const { index } = entries[fresh]!;
  if (index <= s.log.lastIndex) {
    // Before the gap that a snapshot left Go would cut off what follows it, too: nothing of that is modelled.
    if (index <= s.log.snapshotIndex || s.log.termAt(index) === null) return false;
    s.log.truncateFrom(index);
    if (index <= s.latest.index) s.latest = s.committed;
  }
  const stored = entries.slice(fresh);
  s.log.append(stored);
  for (const entry of stored) {
    if (entry.type !== EntryType.configuration) continue;
    s.committed = s.latest;
    s.latest = { index: entry.index, configuration: decodeConfiguration(entry.data ?? new Uint8Array()) };
  }
  return true;
}

interface Ballot {
  readonly term: number;
  readonly granted: boolean;
}

/** Refused before the term is looked at. */
function isStranger(s: GoState, id: string | null): boolean {
  const { servers } = s.latest.configuration;
  return servers.length > 0 && !servers.some((server) => server.id === id);
}

/** So is anybody but the leader that it knows, however long ago that was heard. */
function hasOtherLeader(s: GoState, address: string | null): boolean {
  return s.leader !== null && s.leader.address !== address;
}

function mayVoteFor(s: GoState, id: string | null): boolean {
  return s.latest.configuration.servers.length === 0 || (id !== null && s.isVoter(id));
}

function isBehind(s: GoState, { lastLogTerm, lastLogIndex }: RequestVoteRequest | RequestPreVoteRequest): boolean {
  const { lastTerm, lastIndex } = s.log;
  return lastTerm > lastLogTerm || (lastTerm === lastLogTerm && lastIndex > lastLogIndex);
}

function vote(s: GoState, request: RequestVoteRequest): Ballot {
  const { id, term } = request;
  const address = request.address ?? request.candidate ?? '';
  if (isStranger(s, id) || (!request.leadershipTransfer && hasOtherLeader(s, address)) || term < s.term)
    return { term: s.term, granted: false };
  if (term > s.term) follow(s, term);
  const refused = { term: s.term, granted: false };
  if (!mayVoteFor(s, id)) return refused;
  const { votedTerm, votedFor } = s.log.hard;
  if (votedTerm === term && votedFor !== null) return { term: s.term, granted: votedFor.address === address };
  if (isBehind(s, request)) return refused;
  s.log.setHard({ votedTerm: term, votedFor: { id, address } });
  s.lastContactMs = s.nowMs;
  return { term: s.term, granted: true };
}

function preVote(s: GoState, request: RequestPreVoteRequest): Ballot {
  const { term, id } = request;
  if (isStranger(s, id) || hasOtherLeader(s, request.address) || term < s.term) return { term: s.term, granted: false };
  return { term, granted: mayVoteFor(s, id) && !isBehind(s, request) };
}

function install(s: GoState, request: InstallSnapshotRequest): { term: number; success: boolean; error?: string } {
  const refused = { term: s.term, success: false };
  const { snapshotVersion } = request;
  if (!SNAPSHOT_VERSIONS.includes(snapshotVersion))
    return { ...refused, error: `unsupported snapshot version ${snapshotVersion}` };
  if (request.term < s.term) return refused;
  if (request.data.length < request.size) return { ...refused, error: 'short read' };
  if (request.term > s.term) follow(s, request.term);
  s.leader = { id: request.id ?? '', address: request.address ?? request.leader ?? '' };
  const { term } = s;
  const { lastLogIndex: index, lastLogTerm, data, configurationIndex } = request;
  // Go takes one that is older than what it has applied, and goes back with it.
  if (index > s.commitIndex) {
    const problem = s.payloads.restore(data);
    if (problem !== null) return { term, success: false, error: `failed to restore snapshot: ${problem}` };
    const configuration = {
      index: configurationIndex,
      configuration: decodeConfiguration(request.configuration ?? new Uint8Array()),
    };
    s.log.install(
      { meta: { index, term: lastLogTerm, configuration, size: data.length }, data },
      s.options.trailingLogs,
    );
    s.committed = configuration;
    s.latest = configuration;
    s.commitIndex = index;
    s.appliedIndex = index;
  }
  s.lastContactMs = s.nowMs;
  return { term, success: true };
}
