/**
 * What a leader knows of one other server: how far its log matches, what is on the way to it, and when it
 * last answered (thesis §10.2: probe one request at a time, then pipeline).
 */
import type { PeerStatus } from '../wire/peer-status.ts';
import type { RaftOptions } from './events.ts';
import { Lateness } from './lateness.ts';
import type { Server } from './types.ts';

export type ReplicationMode = 'probe' | 'pipeline' | 'snapshot';

/** A peer's status and when it came (monotonic ms). */
export interface ReceivedStatus {
  readonly peerStatus: PeerStatus;
  readonly atMs: number;
}

/** Volatile; made anew with each leadership. Times are monotonic milliseconds. */
export class Progress {
  readonly id: string;
  /** "host:port" of the latest configuration. */
  address: string;
  /** Highest index known durable in the peer's log and equal to ours. */
  match = 0;
  /** Index of the next entry to send. */
  next: number;
  /** Probing finds where the logs agree, one request at a time; a snapshot goes where the log no longer reaches. */
  mode: ReplicationMode = 'probe';
  /** Counts restarts of replication; answers to requests of an older epoch only ever raise `match`. */
  epoch = 0;
  /** Append requests of this epoch without an answer, and the bytes of their entries; bounded by the options. */
  inflightRequests = 0;
  inflightBytes = 0;
  /** How often a long append was not through in time: each doubles the time that they have, for the link may be slow. */
  slowAppends = 0;
  /** Consecutive failures and when to try again. */
  failures = 0;
  retryAtMs = 0;
  /** It has taken a snapshot and answered no append since: what it holds is not known yet. */
  followsSnapshot = false;
  /** How far the next conflict moves `next` back; doubles. */
  backtrack = 1;
  /** When the last append request was sent. */
  appendSentMs = 0;
  /** Commit index the peer was last told of in an accepted or pending request, and when the next telling is due. */
  commitTold = 0;
  /** The highest commit index in a request that it has accepted. */
  commitHeard = 0;
  tellCommitAtMs = Infinity;
  /** When the next heartbeat is due. */
  heartbeatAtMs = 0;
  /** When the latest one was sent. */
  heartbeatSentMs = -Infinity;
  /** Heartbeats without an answer. */
  heartbeatsInflight = 0;
  /** Counts connections of heartbeats; what came of an older one is not held against this one. */
  heartbeatEpoch = 0;
  /** Consecutive; each puts the next one off further. */
  heartbeatFailures = 0;
  /** One is to go out at once: a read, doubt, or a long append waits for its answer. */
  heartbeatWanted = false;
  /** Send time of the latest request that the peer answered in this term: what may be said on leadership rests on it. */
  contactMs: number;
  /** When its latest answer came, not counting time in which this server itself stood still: by this the lease is judged. */
  lastContactMs: number;
  /** Whether it answers regular heartbeats with a promise (rule 34): null before the first, and where that is to be found out anew. */
  promises: boolean | null = null;
  /** Until then it neither campaigns nor votes by its own timers, as far as it has said, or as its kind has it. */
  promisedUntilMs: number;
  /** Since when it has answered regular heartbeats, Infinity for not at all; by when the next answer should renew contact, and how late they were. */
  regularSinceMs = Infinity;
  renewByMs = Infinity;
  readonly lateness = new Lateness();
  /** What the latest regular heartbeat said of this server's log to be durable; null where it was not regular. */
  durableTold: number | null = null;
  /** Highest read round it has confirmed. */
  confirmedRead = 0;
  /** It has answered an append on the present connection. */
  hasAnswered = false;
  /** It has accepted, after one before that, an append that told of a commit of this term: it is not recovering (rule 9). */
  hasLearnedCommit = false;
  /** Its replies carry peer status: it is this implementation (rule 16). */
  isNative = false;
  /** The peer-status key was offered on the present connection. */
  statusOffered = false;
  /** When peer status last went to it. */
  statusSentMs = -Infinity;
  /** It is to be told peer status, and asked for its own, without waiting. */
  statusWanted = false;
  /** Highest round of questions (ask-peers.ts) that it has answered. */
  answeredAsk = 0;
  /** Its peer status, as it last came; null for none. */
  peerStatus: ReceivedStatus | null = null;
  /** No longer a member: one last attempt to tell it so. */
  isLeaving = false;

  constructor(
    { id, address }: Server,
    next: number,
    nowMs: number,
    { heartbeatTimeoutMs }: Pick<RaftOptions, 'heartbeatTimeoutMs'>,
  ) {
    this.id = id;
    this.address = address;
    this.next = next;
    this.contactMs = nowMs;
    this.lastContactMs = nowMs;
    this.promisedUntilMs = nowMs + heartbeatTimeoutMs;
    this.heartbeatAtMs = nowMs;
    this.appendSentMs = nowMs;
  }

  /** Known to be another implementation: it answered an append that offered peer status, and had none. */
  get isForeign(): boolean {
    return this.statusOffered && this.hasAnswered && !this.isNative;
  }

  /** It has answered something within the lease. */
  isLive(nowMs: number, { leaderLeaseMs }: Pick<RaftOptions, 'leaderLeaseMs'>): boolean {
    return nowMs - this.lastContactMs <= leaderLeaseMs;
  }

  /** Starts over from what is known to match; pending answers become those of an older epoch. */
  restart(next: number): void {
    this.mode = 'probe';
    // It may be another process, with another store.
    this.hasLearnedCommit = false;
    this.epoch++;
    this.next = Math.max(1, next);
    this.inflightRequests = 0;
    this.inflightBytes = 0;
  }
}
