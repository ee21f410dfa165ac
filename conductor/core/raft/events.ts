/**
 * The boundary of the raft core: events in, Ready out (after etcd's raft, thesis chapter 3).
 * A host feeds events with the current monotonic time, one or several that came together, then drains `ready()`.
 */
import type { OutboundRequest, TransportEvent, WriteBatch, AppliedEntry } from '../ports.ts';
import type { RpcResponse, Suffrage, Server, IndexedConfiguration, VoterVerdict } from './types.ts';

/** Commands from the process's own side. `requestId` is the caller's and comes back in a RaftResult. */
export type RaftCommand =
  /** Append a command entry. Outcome: committed with its index, refused, or unknown. */
  | {
      readonly kind: 'propose';
      readonly requestId: number;
      readonly data: Uint8Array;
      /** Stored and replicated beside the data; hashicorp's raft carries it and looks at none of it. Absent for none. */
      readonly extensions?: Uint8Array | null;
    }
  /** Append a barrier entry; committed means everything before it is applied. */
  | { readonly kind: 'barrier'; readonly requestId: number }
  /** Linearizable read: done when leadership was confirmed by a quorum after this call and everything committed by then is applied. */
  | { readonly kind: 'read'; readonly requestId: number }
  /** Ask all peers of this software how they stand. Done when they have told, or a quarter of the heartbeat timeout is over. */
  | { readonly kind: 'ask'; readonly requestId: number }
  /** Add a member, promote a nonvoter, or change an address. previousIndex 0 is unconditional. */
  | {
      readonly kind: 'addServer';
      readonly requestId: number;
      readonly id: string;
      readonly address: string;
      readonly suffrage: Suffrage;
      readonly previousIndex: number;
    }
  | { readonly kind: 'removeServer'; readonly requestId: number; readonly id: string; readonly previousIndex: number }
  | { readonly kind: 'demoteVoter'; readonly requestId: number; readonly id: string; readonly previousIndex: number }
  /** Hand leadership to `target` (or to the best peer, out of `exclude`). Done when leadership is lost to somebody. */
  | {
      readonly kind: 'transfer';
      readonly requestId: number;
      readonly target: string | null;
      /** Peers not to be picked when target is null. */
      readonly exclude?: readonly string[];
    }
  /** First configuration of a new cluster; refused where any state exists. */
  | { readonly kind: 'bootstrap'; readonly requestId: number; readonly servers: readonly Server[] };

export type RaftEvent =
  | TransportEvent
  | RaftCommand
  /** The deadline from `nextDeadlineMs` has come (or may have). */
  | { readonly kind: 'tick' };

/** Why a command was refused. Nothing was appended, or what was appended can never commit. */
export type RefusalReason =
  | 'not-leader'
  | 'transferring' // leadership transfer in progress
  | 'too-large' // entry over entryBytesMax
  | 'busy' // bounds on uncommitted entries reached
  | 'not-ready' // no entry of this term is committed yet (membership, read)
  | 'change-in-progress' // another configuration is not committed yet
  | 'configuration-changed' // previousIndex does not match
  | 'unknown-server'
  | 'duplicate' // id or address in use
  | 'invalid' // no voter would remain, empty id or address
  | 'not-caught-up' // a new voter, or a nonvoter that is promoted, lacks too much of the log
  | 'unreachable' // a member does not answer at its new address
  | 'no-peer' // nobody to transfer to
  | 'timeout' // transfer: target did not take over in time; read: not confirmed in time
  | 'already-bootstrapped'
  | 'failed'; // the store has failed; the process is about to exit

/** Outcome of a command (rule 5). `unknown`: leadership or time was lost while it was pending; it may still commit. */
export type RaftResult =
  | {
      readonly kind: 'done';
      readonly requestId: number;
      readonly index: number;
      readonly term: number;
      readonly value: unknown;
    }
  | {
      readonly kind: 'refused';
      readonly requestId: number;
      readonly reason: RefusalReason;
      readonly message: string;
      /** The server that leadership was offered to, and that did not take it. */
      readonly offeredTo?: string;
    }
  | {
      readonly kind: 'unknown';
      readonly requestId: number;
      readonly reason: string;
      readonly index: number;
      readonly term: number;
    };

/** What changed for observers, in order. */
export type RaftNotice =
  | { readonly kind: 'role'; readonly role: Role; readonly term: number; readonly reason: string }
  | {
      readonly kind: 'leader';
      readonly leaderId: string | null;
      readonly address: string | null;
      readonly term: number;
    }
  | { readonly kind: 'configuration'; readonly configuration: IndexedConfiguration; readonly committed: boolean }
  | { readonly kind: 'recovered'; readonly index: number; readonly term: number }
  | {
      readonly kind: 'snapshot';
      readonly action: 'taken' | 'installed' | 'sent';
      readonly index: number;
      readonly peerId?: string;
    }
  /** Milliseconds that the wall clock ran ahead of the monotonic one at once. */
  | { readonly kind: 'clockJump'; readonly ms: number }
  /** A voter's answer, or the lack of one, about a block that `askVerdicts` gave it. */
  | { readonly kind: 'verdict'; readonly questionId: number; readonly voter: VoterVerdict }
  /** The leader asks what the own client says of a block (its SSZ); `answerVerdict` answers it. */
  | { readonly kind: 'verdictAsked'; readonly inboundId: number; readonly payload: Uint8Array }
  | { readonly kind: 'warning'; readonly message: string; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'alarm';
      readonly alarm: RaftAlarm;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** What needs an operator: values of the label `kind` of alarms_total. */
export type RaftAlarm =
  | 'own-name' // a request names this server as its sender
  | 'wrong-server' // another server answers at a member's address
  | 'second-leader' // two servers lead in one term
  | 'stranger' // who is no member speaks as a leader
  | 'term-jump'; // a member's word is in a term that elections do not explain

export type Role = 'follower' | 'candidate' | 'leader';

/**
 * What the host must now do, in this order (core/drive.ts does it):
 * 1. hand `sendFirst` to the transport (entries of a leader, rule 15);
 * 2. write `write` in one durable transaction, then call `persisted()`; on a throw call `writeFailed()` and stop serving;
 * 3. hand `send` and `replies` to the transport, drop the connections of `forget`;
 * 4. deliver `results` and `notices`.
 * Then ask for the next Ready until there is none.
 */
export interface Ready {
  readonly sendFirst: readonly OutboundRequest[];
  readonly write: WriteBatch | null;
  readonly send: readonly OutboundRequest[];
  readonly replies: readonly { readonly inboundId: number; readonly response: RpcResponse }[];
  /** Peers whose connections to drop. */
  readonly forget: readonly string[];
  readonly results: readonly RaftResult[];
  readonly notices: readonly RaftNotice[];
}

/** Fixed settings of one server. All times in milliseconds. */
export interface RaftOptions {
  readonly id: string;
  /** Advertised "host:port", exactly as in the configuration. */
  readonly address: string;
  /** Follower election timeout HB, default 1000, ≥ 5. */
  readonly heartbeatTimeoutMs: number;
  /** Candidate election timeout and transfer bound ET, default 1000, ≥ heartbeatTimeoutMs. */
  readonly electionTimeoutMs: number;
  /** Leader lease, default 500, ≤ heartbeatTimeoutMs. */
  readonly leaderLeaseMs: number;
  /** How long a commit may stay unannounced to idle followers, default 50. */
  readonly commitTimeoutMs: number;
  /** Deadline of one request, default 5000. */
  readonly requestTimeoutMs: number;
  /** Entries per append request, 1..1024, default 64. */
  readonly appendEntriesMax: number;
  /** Bytes of entry data per append request, default 8 MiB; a single larger entry goes alone. */
  readonly appendBytesMax: number;
  /** Append requests in flight per peer, default 16, and their bytes, default 32 MiB (or one request). */
  readonly inflightRequestsMax: number;
  readonly inflightBytesMax: number;
  /** Bytes of one entry, default 64 MiB. */
  readonly entryBytesMax: number;
  /** Proposals not yet committed: count, default 4096, and bytes, default 256 MiB (or one entry). */
  readonly uncommittedEntriesMax: number;
  readonly uncommittedBytesMax: number;
  /** Recent entries kept in memory, bytes, default 16 MiB. */
  readonly cacheBytesMax: number;
  /** Entries since the last snapshot that make one due, default 8192, looked at every snapshotIntervalMs..2×, default 120 000. */
  readonly snapshotThreshold: number;
  readonly snapshotIntervalMs: number;
  /** Bytes since the last snapshot that make one due at once, default 256 MiB. */
  readonly snapshotBytes: number;
  /** Entries kept behind a snapshot, default 10 240, and their bytes, default 512 MiB. */
  readonly trailingLogs: number;
  readonly trailingBytes: number;
  /** Grant votes on a never used store as Go does; only for a cluster that relies on it. Default false. */
  readonly legacyEmptyStore: boolean;
  /** Refuse to promote a nonvoter that is far behind, in place of waiting for it. Default false. */
  readonly requireCatchUp: boolean;
  /** Bring new voters in as nonvoters first, and promote them once they have caught up. Default true. */
  readonly stageVoters: boolean;
  /** Take part in rule 13's fast elections. Default true. */
  readonly fastElections: boolean;
  /** Learn shorter election timeouts where heartbeats come on time (rule 34). Default true. */
  readonly learnedTimeouts: boolean;
}

export type { AppliedEntry };
