/**
 * The nouns of the replicated log: entries, configurations, hard state, and the five
 * messages of hashicorp/raft protocol version 3 as plain values.
 * Encoding lives in wire/, behaviour beside this file. Terms and indexes are integers
 * in 0..2^53-1; the wire layer refuses larger ones.
 */

/** Entry types as numbered on the wire; 2 and 3 are deprecated and only ever decoded. */
export const EntryType = {
  command: 0,
  noop: 1,
  addPeerDeprecated: 2,
  removePeerDeprecated: 3,
  barrier: 4,
  configuration: 5,
} as const;

/** One entry of the log. `null` bytes (Go's nil) and empty bytes are different values on the wire and on disk. */
export interface Entry {
  /** 1-based. */
  readonly index: number;
  readonly term: number;
  /** 0..255; see EntryType. */
  readonly type: number;
  readonly data: Uint8Array | null;
  readonly extensions: Uint8Array | null;
  /** Go time.MarshalBinary form (15 or 16 bytes), kept verbatim from whoever appended it. */
  readonly appendedAt: Uint8Array;
}

/** Suffrage as numbered on the wire. Staging (2) is deprecated and decoded as nonvoter. */
export const Suffrage = { voter: 0, nonvoter: 1 } as const;
export type Suffrage = (typeof Suffrage)[keyof typeof Suffrage];

/** One member of the cluster. Its identity is its id; the address may be a name and may change. */
export interface Server {
  readonly id: string;
  /** "host:port"; host may be a DNS name. */
  readonly address: string;
  readonly suffrage: Suffrage;
}

/** A cluster membership, in the order of the configuration entry. */
export interface Configuration {
  readonly servers: readonly Server[];
}

/** A configuration and the index of the log entry (or snapshot) that holds it; 0 and no servers when there is none. */
export interface IndexedConfiguration {
  readonly index: number;
  readonly configuration: Configuration;
}

/** What must be durable before any answer that depends on it (thesis figure 3.1), written in one transaction. */
export interface HardState {
  /** Latest term this server has seen, 0 before any. */
  readonly term: number;
  /** Term of the latest vote, 0 before any. A term with no candidate counts as voted, for nobody (rules 8 and 9). */
  readonly votedTerm: number;
  /** Who got that vote: id (or null where the candidate sent none) and address. */
  readonly votedFor: Candidate | null;
  /** True while a server with a new store may neither vote nor campaign (rule 9). */
  readonly recovering: boolean;
}

export interface Candidate {
  readonly id: string | null;
  readonly address: string;
}

/** Where a snapshot stands in the log, without its bytes. */
export interface SnapshotMeta {
  readonly index: number;
  readonly term: number;
  /** Configuration in force at `index`, and the index of its entry. */
  readonly configuration: IndexedConfiguration;
  /** Bytes of the state. */
  readonly size: number;
}

export interface Snapshot {
  readonly meta: SnapshotMeta;
  readonly data: Uint8Array;
}

// ---------------------------------------------------------------- messages

/** Sender of a request or a response. Go leaves it all zero in some responses (null, null, 0). */
export interface Header {
  readonly protocolVersion: number;
  readonly id: string | null;
  /** Advertised "host:port". */
  readonly address: string | null;
}

export interface AppendEntriesRequest extends Header {
  readonly kind: 'append';
  readonly term: number;
  /** Deprecated twin of the header's address. */
  readonly leader: string | null;
  readonly prevLogIndex: number;
  readonly prevLogTerm: number;
  /** null (heartbeat, Go's nil) and [] are both "no entries" but differ on the wire. */
  readonly entries: readonly Entry[] | null;
  readonly leaderCommit: number;
  /** The peer status of our own nodes, opaque (rule 16), absent towards and from Go. */
  readonly peerStatus?: Uint8Array;
  /**
   * Rule 34, in heartbeats of our own nodes to our own: the least election timeout that the leader needs of this follower,
   * and within what time it sends the next heartbeat, both in ms; and what of its log is durable: what else it has
   * sent it may be writing, in which time it sends nothing.
   */
  readonly electionTimeoutMs?: number;
  readonly heartbeatIntervalMs?: number;
  readonly durableIndex?: number;
}

export interface AppendEntriesResponse extends Header {
  readonly kind: 'append';
  readonly term: number;
  /** The responder's last index before it appended: never a match index. */
  readonly lastLog: number;
  readonly success: boolean;
  readonly noRetryBackoff: boolean;
  readonly peerStatus?: Uint8Array;
  /** Rule 34: for so many ms from this request on the responder neither campaigns nor votes by its own timers; absent from Go. */
  readonly electionTimeoutMs?: number;
}

export interface RequestVoteRequest extends Header {
  readonly kind: 'vote';
  readonly term: number;
  /** Deprecated twin of the header's address. */
  readonly candidate: string | null;
  readonly lastLogIndex: number;
  readonly lastLogTerm: number;
  readonly leadershipTransfer: boolean;
}

export interface RequestVoteResponse extends Header {
  readonly kind: 'vote';
  readonly term: number;
  readonly granted: boolean;
}

export interface RequestPreVoteRequest extends Header {
  readonly kind: 'prevote';
  readonly term: number;
  readonly lastLogIndex: number;
  readonly lastLogTerm: number;
  /** There, of no bytes, where one of our own nodes asks for the members (rule 32); absent from Go. */
  readonly configuration?: Uint8Array;
}

/** What a candidate asks a voter. */
export type Ballot = RequestVoteRequest | RequestPreVoteRequest;

export interface RequestPreVoteResponse extends Header {
  readonly kind: 'prevote';
  readonly term: number;
  readonly granted: boolean;
  /** msgpack Configuration, to a member that asked for it; absent from Go. */
  readonly configuration?: Uint8Array;
}

export interface InstallSnapshotRequest extends Header {
  readonly kind: 'snapshot';
  readonly snapshotVersion: number;
  readonly term: number;
  readonly leader: string | null;
  readonly lastLogIndex: number;
  readonly lastLogTerm: number;
  /** Deprecated list of voter addresses, msgpack; ignored by version 1. */
  readonly peers: Uint8Array | null;
  /** msgpack Configuration, see wire/configuration. */
  readonly configuration: Uint8Array | null;
  readonly configurationIndex: number;
  /** Bytes that follow the map on the connection. */
  readonly size: number;
  /** Those bytes; on the receiving side complete (the transport has read all `size` of them). */
  readonly data: Uint8Array;
}

export interface InstallSnapshotResponse extends Header {
  readonly kind: 'snapshot';
  readonly term: number;
  readonly success: boolean;
  /** Error text sent together with this body ("" is success on the wire). */
  readonly error?: string;
}

export interface TimeoutNowRequest extends Header {
  readonly kind: 'timeoutNow';
  /** Those of a leader that was deposed: its word is advice, and only for our own nodes (rule 16). */
  readonly peerStatus?: Uint8Array;
  /** The term that the sender leads, or led; absent from Go, and to it. A word that was long on its way means nothing in a later one. */
  readonly term?: number;
}

export interface TimeoutNowResponse extends Header {
  readonly kind: 'timeoutNow';
}

/**
 * Our own: a leader asks a voter of this software what its execution client says of a block that is to be committed
 * (rule 28). hashicorp/raft knows no such request; it is sent only to servers whose peer status says that they answer it.
 */
export interface ValidateRequest extends Header {
  readonly kind: 'validate';
  readonly term: number;
  /** The block's SSZ. */
  readonly payload: Uint8Array | null;
}

/** What a client says of a block, in the order of its numbers on the wire; 'none' where it did not say. */
export const verdictNames = ['none', 'valid', 'invalid'] as const;
export type VerdictName = (typeof verdictNames)[number];

/** The answer of one voter, or the lack of one. */
export interface VoterVerdict {
  readonly peerId: string;
  readonly verdict: VerdictName;
  /** The client's words, or why there is no verdict. */
  readonly message: string;
}

export interface ValidateResponse extends Header {
  readonly kind: 'validate';
  readonly term: number;
  /** Of `verdictNames`; a number beyond says nothing. */
  readonly verdict: number;
  /** The client's words about an invalid block, or why there is no verdict. */
  readonly message: string | null;
}

/** An error text with a nil body, as Go answers a header it does not accept. */
export interface ErrorResponse {
  readonly kind: 'error';
  readonly message: string;
}

export type RpcRequest =
  | AppendEntriesRequest
  | RequestVoteRequest
  | RequestPreVoteRequest
  | InstallSnapshotRequest
  | TimeoutNowRequest
  | ValidateRequest;

export type RpcResponse =
  | AppendEntriesResponse
  | RequestVoteResponse
  | RequestPreVoteResponse
  | InstallSnapshotResponse
  | TimeoutNowResponse
  | ValidateResponse
  | ErrorResponse;
