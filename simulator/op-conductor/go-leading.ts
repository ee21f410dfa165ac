/** What an op-conductor's raft server keeps for as long as it campaigns or leads. */
import type { Server } from '#conductor/core/raft/types';

/** Told once how something ended: '' for well. */
export type Ended = (problem: string) => void;

export interface Campaign {
  readonly isPreVote: boolean;
  readonly term: number;
  granted: number;
}

/** A server to which something is sent. */
export interface Peer {
  readonly id: string;
  readonly address: string;
}

/** What a leader knows of one other member. */
export interface Replica {
  peer: Peer;
  /** Index of the next entry that it is known to lack, and of the next to be sent in a pipeline. */
  next: number;
  sentTo: number;
  isPipelined: boolean;
  inFlight: number;
  /** Answers to what was sent before the last fall back mean nothing any more. */
  epoch: number;
  failures: number;
  retryAtMs: number;
  /** Something is to be sent at once; else by the time of the next telling of commits. */
  isDue: boolean;
  commitAtMs: number;
  heartbeatAtMs: number;
  heartbeatFailures: number;
  lastContactMs: number;
}

export interface Transfer {
  readonly to: string;
  untilMs: number;
  isTold: boolean;
  readonly ended: Ended;
}

/** A change, on condition that the configuration has this index; 0 for none. */
export interface Change {
  readonly of: (servers: readonly Server[]) => readonly Server[];
  readonly previousIndex: number;
}

export interface Leading {
  /** Index of the entry with which this leadership begins. */
  readonly firstIndex: number;
  readonly replicas: Map<string, Replica>;
  /** For each voter the highest index that it has taken; this server's when it is written. */
  matches: Map<string, number>;
  /** Who waits for an entry. */
  readonly waiting: Map<number, Ended>;
  /** Changes of the members that wait for the one before. */
  changes: { readonly change: Change; readonly ended: Ended; readonly untilMs: number }[];
  leaseAtMs: number;
  transfer: Transfer | null;
}
