/**
 * What the core needs from the world. The simulator and the Bun adapters implement these;
 * the core imports nothing else of them. All calls are synchronous: a port that does slow
 * work starts it and reports through an event (see raft/events and conductor).
 */
import type { LabelledMetric, MetricLabels, NoLabels, PlainMetric } from './metrics.ts';
import type { RpcRequest, RpcResponse, Entry, HardState, Snapshot, SnapshotMeta } from './raft/types.ts';

/** Uniform numbers in [0, 1). Seeded in the simulator. */
export interface Random {
  next(): number;
}

/**
 * Wall clock, for stamps that people or peers read, and to see that time passed while the monotonic clock stood still
 * (raft/clock-jump.ts). Deadlines use the monotonic time passed with every event.
 */
export interface WallClock {
  /** Milliseconds since the Unix epoch; may step. */
  unixMs(): number;
  /** How far it is ahead of the monotonic clock, milliseconds: both read in one moment, however late this is asked. */
  aheadMs(): number;
}

// ---------------------------------------------------------------- log store

/** A stored entry without its data: what is read for every entry at open. */
export interface EntrySummary {
  readonly index: number;
  readonly term: number;
  readonly type: number;
  /** Bytes of `data`. */
  readonly size: number;
  /** The state machine's own short record of the entry (≤ 256 bytes), stored beside it; null if it made none. */
  readonly summary: Uint8Array | null;
}

/** An entry to be stored, with its summary. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly summary: Uint8Array | null;
}

/**
 * Everything that changes together. Applied in this order, in one durable transaction:
 * install, truncateFrom, entries, compactThrough, snapshot, hardState.
 */
export interface WriteBatch {
  readonly hardState?: HardState;
  /** Delete entries with index ≥ this (conflict, or a snapshot that does not fit the log). */
  readonly truncateFrom?: number;
  /** Appended after what is left; contiguous with it, or starting anywhere when nothing is left. */
  readonly entries?: readonly StoredEntry[];
  /** Delete entries with index ≤ this. */
  readonly compactThrough?: number;
  /** Replaces the stored snapshot, if any. */
  readonly snapshot?: Snapshot;
}

/** What a store holds at open. */
export interface StoredState {
  /** null for a store that was never written to. */
  readonly hardState: HardState | null;
  readonly snapshot: SnapshotMeta | null;
  /** Contiguous, ascending; empty when the log is. */
  readonly entries: readonly EntrySummary[];
}

/** The durable log of one server. Methods throw StoreError when the disk or its content fails. */
export interface LogStore {
  /** Summaries of all that is stored; called once, before the first write. */
  load(): StoredState;
  /** Returns after the transaction is durable; on a throw nothing of the batch is. */
  write(batch: WriteBatch): void;
  /** Whole entries from..to inclusive, ascending, stopping after the first that reaches bytesMax in sum (at least one). Checksums verified. */
  read(from: number, to: number, bytesMax: number): Entry[];
  /** Bytes of the stored snapshot; null if there is none. */
  readSnapshot(): Uint8Array | null;
  close(): void;
}

// ---------------------------------------------------------------- transport

/**
 * Channels to a peer. Requests on one channel are answered in the order sent, on one connection
 * (replicate is pipelined); channels never wait for each other. 'snapshot' uses a connection of its own per request.
 */
export type Channel = 'heartbeat' | 'replicate' | 'vote' | 'snapshot' | 'validate';

/** A request on its way out. */
export interface OutboundRequest {
  /** Chosen by the core, never reused; comes back in `response` or `failed`. */
  readonly requestId: number;
  /** The peer's server id (checked against its TLS certificate when TLS is on). */
  readonly peerId: string;
  /** "host:port", resolved again at each dial. */
  readonly address: string;
  readonly channel: Channel;
  readonly request: RpcRequest;
  /** Milliseconds from now until `failed` with reason 'timeout' (the connection is then closed). */
  readonly timeoutMs: number;
  /** Goes out on the connection that is open, and fails with 'reset' where none is: who answered on it is known, who would on another is not. */
  readonly needsOpen?: boolean;
}

/** Why a request got no answer. 'refused' and 'reset' say that nobody listens there (rule 13); the others do not. */
export type FailureReason =
  | 'refused' // connection refused at dial
  | 'reset' // reset or closed by the peer while the request was pending or being sent
  | 'timeout' // no answer in time, dial included
  | 'unreachable' // name not resolved, no route
  | 'unauthorized' // TLS: certificate missing, wrong, or not for peerId
  | 'overflow' // the bounded send queue to the peer is full; nothing was sent
  | 'malformed' // the answer could not be decoded; connection closed
  | 'cancelled'; // closed by our own side

/** What the transport tells the core. */
export type TransportEvent =
  | {
      readonly kind: 'request';
      /** Inbound connection; unique for the life of the process. */
      readonly connectionId: number;
      /** Names this request in `reply`. */
      readonly inboundId: number;
      readonly request: RpcRequest;
    }
  | { readonly kind: 'response'; readonly requestId: number; readonly response: RpcResponse }
  | { readonly kind: 'failed'; readonly requestId: number; readonly reason: FailureReason; readonly message: string }
  /** An inbound connection that had carried at least one request is gone; its unanswered requests need no reply. */
  | { readonly kind: 'inboundClosed'; readonly connectionId: number };

/** Carries requests and responses; calls back with TransportEvents, never from inside a call. */
export interface Transport {
  send(message: OutboundRequest): void;
  /** Answers an inbound request; unknown ids (connection gone) are ignored. */
  reply(inboundId: number, response: RpcResponse): void;
  /** Closes an inbound connection without answering. */
  closeInbound(connectionId: number): void;
  /** Closes connections to a peer that is no longer a member, or not who answers; pending requests fail with 'cancelled'. */
  forget(peerId: string): void;
}

// ---------------------------------------------------------------- state machine

/** What a log entry looks like to the state machine. */
export interface AppliedEntry {
  readonly index: number;
  readonly term: number;
  readonly type: number;
  readonly summary: Uint8Array | null;
  /** Reads the data, from memory or disk. */
  data(): Uint8Array | null;
}

/**
 * The replicated state machine. It sees every entry that enters or leaves the log, not only committed ones,
 * so that admission can look at the uncommitted tail. Deterministic; never throws for any entry content.
 */
export interface StateMachine {
  /** Short record of a command entry, stored beside it and handed back at open (≤ 256 bytes); null if there is nothing to say. */
  summarize(entry: Entry): Uint8Array | null;
  /** An entry is now the last of the log (also once for each stored entry at open). */
  appended(entry: EntrySummary): void;
  /** Entries with index ≥ from left the log; none of them was applied. */
  truncated(from: number): void;
  /** Entries with index ≤ through left the log; a snapshot covers them. */
  compacted(through: number): void;
  /** A committed entry, in order, each once per life of the process. The result goes to the proposer. */
  apply(entry: AppliedEntry): unknown;
  /** State after the last applied entry; null while empty (no snapshot is then taken, rule 7). */
  snapshot(): Uint8Array | null;
  /** Replaces the state by a snapshot's; returns an error text when the bytes are not one (then nothing changed). */
  restore(data: Uint8Array, index: number, term: number): string | null;
}

// ---------------------------------------------------------------- observation

/** Counters, gauges and histograms by the names and labels of metrics.ts. */
export interface Metrics {
  count(name: PlainMetric<'counter'>, labels?: NoLabels, by?: number): void;
  count<Name extends LabelledMetric<'counter'>>(name: Name, labels: MetricLabels[Name], by?: number): void;
  gauge(name: PlainMetric<'gauge'>, value: number): void;
  gauge<Name extends LabelledMetric<'gauge'>>(name: Name, value: number, labels: MetricLabels[Name]): void;
  /** Seconds for durations, bytes for sizes. */
  observe(name: PlainMetric<'histogram'>, value: number): void;
  observe<Name extends LabelledMetric<'histogram'>>(name: Name, value: number, labels: MetricLabels[Name]): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured log; fields are written in the order given. Secrets never go in. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}
