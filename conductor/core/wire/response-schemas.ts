/** Layouts of the responses, fields in Go's order of declaration. */
import type {
  AppendEntriesResponse,
  ErrorResponse,
  InstallSnapshotResponse,
  RequestPreVoteResponse,
  RequestVoteResponse,
  RpcRequest,
  RpcResponse,
  TimeoutNowResponse,
  ValidateResponse,
} from '../raft/types.ts';
import { ELECTION_TIMEOUT, HEADER, PEER_STATUS, MEMBERS, ZERO_HEADER } from './header-schema.ts';
import { struct, type FieldSpec, type StructSchema } from './schema.ts';

const TERM: FieldSpec = ['Term', 'term', 'unsigned'];
const GRANTED: FieldSpec = ['Granted', 'granted', 'bool'];
/** Filled only by servers of protocol versions below 2. */
const PEERS: FieldSpec = ['Peers', null, 'bytes', { limit: 'configurationBytesMax' }];

const APPEND = struct<AppendEntriesResponse>(
  'an AppendEntries response',
  [
    ...HEADER,
    TERM,
    ['LastLog', 'lastLog', 'unsigned'],
    ['Success', 'success', 'bool'],
    ['NoRetryBackoff', 'noRetryBackoff', 'bool'],
    PEER_STATUS,
    ELECTION_TIMEOUT,
  ],
  () => ({ kind: 'append', ...ZERO_HEADER, term: 0, lastLog: 0, success: false, noRetryBackoff: false }),
);

const VOTE = struct<RequestVoteResponse>('a RequestVote response', [...HEADER, TERM, PEERS, GRANTED], () => ({
  kind: 'vote',
  ...ZERO_HEADER,
  term: 0,
  granted: false,
}));

const PREVOTE = struct<RequestPreVoteResponse>(
  'a RequestPreVote response',
  [...HEADER, TERM, GRANTED, MEMBERS],
  () => ({
    kind: 'prevote',
    ...ZERO_HEADER,
    term: 0,
    granted: false,
  }),
);

const SNAPSHOT = struct<InstallSnapshotResponse>(
  'an InstallSnapshot response',
  [...HEADER, TERM, ['Success', 'success', 'bool']],
  () => ({ kind: 'snapshot', ...ZERO_HEADER, term: 0, success: false }),
);

const TIMEOUT_NOW = struct<TimeoutNowResponse>('a TimeoutNow response', HEADER, () => ({
  kind: 'timeoutNow',
  ...ZERO_HEADER,
}));

const VALIDATE = struct<ValidateResponse>(
  'a Validate response',
  [...HEADER, TERM, ['Verdict', 'verdict', 'unsigned'], ['Message', 'message', 'text']],
  () => ({ kind: 'validate', ...ZERO_HEADER, term: 0, verdict: 0, message: null }),
);

/** Kind of the request → layout of its response's map. */
export const RESPONSE_SCHEMAS: Readonly<Record<RpcRequest['kind'], StructSchema<Exclude<RpcResponse, ErrorResponse>>>> =
  {
    append: APPEND,
    vote: VOTE,
    prevote: PREVOTE,
    snapshot: SNAPSHOT,
    timeoutNow: TIMEOUT_NOW,
    validate: VALIDATE,
  };
