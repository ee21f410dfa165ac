/**
 * What a server keeps while it leads, and drops when it follows again: its peers' progress, the commands and reads
 * that wait for an outcome, a hand-over, and a voter that is being brought up (thesis figure 3.1, volatile state on
 * leaders; §3.10, §4.2.1, §6.4).
 */
import type { RaftCommand } from './events.ts';
import type { Progress } from './progress.ts';

/** A command waiting for its entry to be applied. */
export interface PendingEntry {
  readonly requestId: number;
  readonly warning?: string;
}

/** A linearizable read: confirmed by a quorum that answered round `round`, then applied up to `index`. */
export interface PendingRead {
  readonly requestId: number;
  readonly round: number;
  readonly index: number;
}

export interface Transfer {
  readonly requestId: number;
  readonly target: string;
  readonly deadlineMs: number;
  isSent: boolean;
  /** Told a second time, over a new connection: the first may have been dead for long. */
  isRepeated: boolean;
}

/** A question to all peers how they stand (ask-peers.ts). */
export interface PendingAsk {
  readonly requestId: number;
  readonly round: number;
  readonly deadlineMs: number;
}

/** Exists while this server leads. */
export interface Leadership {
  readonly peers: Map<string, Progress>;
  /** Index of this term's first entry; nothing counts as committed by this leader before it (figure 3.7). */
  readonly firstIndex: number;
  readonly entries: Map<number, PendingEntry>;
  reads: PendingRead[];
  readRound: number;
  asks: PendingAsk[];
  askRound: number;
  /**
   * When this server last came back from a stall longer than the lease, or noticed that time had passed unseen
   * (clock-jump.ts): only answers to what was sent since prove anything (rule 34).
   */
  doubtedAtMs: number;
  transfer: Transfer | null;
  /** A new voter that was added as a nonvoter first; one at a time. */
  staging: { readonly command: Extract<RaftCommand, { kind: 'addServer' }>; readonly deadlineMs: number } | null;
  /** A change of address that waits for the member to answer at the new one. */
  moving: Extract<RaftCommand, { kind: 'addServer' }> | null;
  /** Proposed and not yet committed. */
  uncommittedBytes: number;
}
