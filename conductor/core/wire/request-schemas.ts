/** Layouts of the requests, fields in Go's order of declaration. */
import type {
  AppendEntriesRequest,
  InstallSnapshotRequest,
  RequestPreVoteRequest,
  RequestVoteRequest,
  RpcRequest,
  TimeoutNowRequest,
  ValidateRequest,
} from '../raft/types.ts';
import { ENTRY } from './entry-schema.ts';
import { ELECTION_TIMEOUT, HEADER, PEER_STATUS, MEMBERS, ZERO_HEADER } from './header-schema.ts';
import { struct, type StructSchema } from './schema.ts';

const NO_BYTES = new Uint8Array(0);

const APPEND = struct<AppendEntriesRequest>(
  'an AppendEntries request',
  [
    ...HEADER,
    ['Term', 'term', 'unsigned'],
    ['Leader', 'leader', 'text'],
    ['PrevLogEntry', 'prevLogIndex', 'unsigned'],
    ['PrevLogTerm', 'prevLogTerm', 'unsigned'],
    ['Entries', 'entries', 'structs', { limit: 'entriesMax', element: ENTRY }],
    ['LeaderCommitIndex', 'leaderCommit', 'unsigned'],
    PEER_STATUS,
    ELECTION_TIMEOUT,
    ['HeartbeatInterval', 'heartbeatIntervalMs', 'unsigned', { optional: true }],
    ['DurableIndex', 'durableIndex', 'unsigned', { optional: true }],
  ],
  () => ({
    kind: 'append',
    ...ZERO_HEADER,
    term: 0,
    leader: null,
    prevLogIndex: 0,
    prevLogTerm: 0,
    entries: null,
    leaderCommit: 0,
  }),
);

const VOTE = struct<RequestVoteRequest>(
  'a RequestVote request',
  [
    ...HEADER,
    ['Term', 'term', 'unsigned'],
    ['Candidate', 'candidate', 'text'],
    ['LastLogIndex', 'lastLogIndex', 'unsigned'],
    ['LastLogTerm', 'lastLogTerm', 'unsigned'],
    ['LeadershipTransfer', 'leadershipTransfer', 'bool'],
  ],
  () => ({
    kind: 'vote',
    ...ZERO_HEADER,
    term: 0,
    candidate: null,
    lastLogIndex: 0,
    lastLogTerm: 0,
    leadershipTransfer: false,
  }),
);

const PREVOTE = struct<RequestPreVoteRequest>(
  'a RequestPreVote request',
  [
    ...HEADER,
    ['Term', 'term', 'unsigned'],
    ['LastLogIndex', 'lastLogIndex', 'unsigned'],
    ['LastLogTerm', 'lastLogTerm', 'unsigned'],
    MEMBERS,
  ],
  () => ({ kind: 'prevote', ...ZERO_HEADER, term: 0, lastLogIndex: 0, lastLogTerm: 0 }),
);

const SNAPSHOT = struct<InstallSnapshotRequest>(
  'an InstallSnapshot request',
  [
    ...HEADER,
    ['SnapshotVersion', 'snapshotVersion', 'signed'],
    ['Term', 'term', 'unsigned'],
    ['Leader', 'leader', 'text'],
    ['LastLogIndex', 'lastLogIndex', 'unsigned'],
    ['LastLogTerm', 'lastLogTerm', 'unsigned'],
    ['Peers', 'peers', 'bytes', { limit: 'configurationBytesMax' }],
    ['Configuration', 'configuration', 'bytes', { limit: 'configurationBytesMax' }],
    ['ConfigurationIndex', 'configurationIndex', 'unsigned'],
    ['Size', 'size', 'signed'],
  ],
  () => ({
    kind: 'snapshot',
    ...ZERO_HEADER,
    snapshotVersion: 0,
    term: 0,
    leader: null,
    lastLogIndex: 0,
    lastLogTerm: 0,
    peers: null,
    configuration: null,
    configurationIndex: 0,
    size: 0,
    data: NO_BYTES,
  }),
);

const TIMEOUT_NOW = struct<TimeoutNowRequest>(
  'a TimeoutNow request',
  [...HEADER, PEER_STATUS, ['Term', 'term', 'unsigned', { optional: true }]],
  () => ({ kind: 'timeoutNow', ...ZERO_HEADER }),
);

const VALIDATE = struct<ValidateRequest>(
  'a Validate request',
  [...HEADER, ['Term', 'term', 'unsigned'], ['Payload', 'payload', 'bytes', { limit: 'entryBytesMax' }]],
  () => ({ kind: 'validate', ...ZERO_HEADER, term: 0, payload: null }),
);

/** Request kind → layout of its map. */
export const REQUEST_SCHEMAS: Readonly<Record<RpcRequest['kind'], StructSchema<RpcRequest>>> = {
  append: APPEND,
  vote: VOTE,
  prevote: PREVOTE,
  snapshot: SNAPSHOT,
  timeoutNow: TIMEOUT_NOW,
  validate: VALIDATE,
};
