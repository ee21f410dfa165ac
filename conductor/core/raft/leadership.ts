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
}

/** A linearizable read: confirmed by a quorum that answered round `round`, then applied up to `index`. */
export interface PendingRead {
  readonly requestId: number;
  readonly round: number;
  readonly index: number;
  /** It is refused then. */
  readonly deadlineMs: number;
}

/** A hand-over (§3.10). */
export interface Transfer {
  readonly requestId: number;
  /** A voter's id. */
  target: string;
  /** Whoever asked for it named the target. */
  readonly isNamed: boolean;
  /** It is refused then. This server leads on, unless it is of no use: see `isOfNoUse` of transfer.ts. */
  deadlineMs: number;
  /** What was committed when it began. */
  readonly commitIndex: number;
  /** The target was told to take over: it has all entries, or at last those that are committed. */
  isSent: boolean;
  /** Told a second time, over a new connection: the first may have been dead for long. */
  isRepeated: boolean;
  /** Who was told to take over as this server ceased to lead, where the named target was not; null for nobody. */
  toldInstead: string | null;
}

/** Whether the target may have been told to take over: also by a request whose connection was reset, and which is not repeated yet. */
export function mayTakeOver(transfer: Transfer | null): boolean {
  return transfer !== null && (transfer.isSent || transfer.isRepeated);
}

/** A question to all peers how they stand (ask-peers.ts). */
export interface PendingAsk {
  readonly requestId: number;
  readonly round: number;
  readonly deadlineMs: number;
}

/** A new voter on its way (staging.ts). */
export interface Staging {
  readonly command: Extract<RaftCommand, { kind: 'addServer' }>;
  /** It was no member before. */
  readonly isNew: boolean;
  /** When it is given up if it gets no further; never later than `endMs`. */
  deadlineMs: number;
  readonly endMs: number;
  /** How much of the log it has, as far as was seen. */
  match: number;
  /** The id of another server that answered at its address; null while none has. */
  answeredBy: string | null;
}

/** Exists while this server leads, and is volatile. Times are monotonic milliseconds. */
export interface Leadership {
  /** Regular heartbeats count from here. */
  readonly sinceMs: number;
  /** The leader that this one's election timeout ended, and until when that would have led by the flag; null for none, or once it is heard. */
  replaced: { readonly id: string; readonly untilMs: number } | null;
  /** Of every other member, and of those that have just left, by id. */
  readonly peers: Map<string, Progress>;
  /** Index of this term's first entry; nothing counts as committed by this leader before it (figure 3.7). */
  readonly firstIndex: number;
  /** Commands that wait for their entry to be applied, by its index. */
  readonly entries: Map<number, PendingEntry>;
  /** In the order they were asked for. */
  reads: PendingRead[];
  /** Counts rounds of confirmation; requests carry the latest one. */
  readRound: number;
  /** Questions to all peers that are not over, oldest first. */
  asks: PendingAsk[];
  /** Counts them; requests carry the latest one. */
  askRound: number;
  /**
   * When this server last came back from a stall longer than the lease, or noticed that time had passed unseen
   * (clock-jump.ts): only answers to what was sent since prove anything (rule 34). -Infinity for never.
   */
  doubtedAtMs: number;
  /** When time last passed unseen: what peers say of themselves in answer to what was sent before may be as old. -Infinity for never. */
  jumpedAtMs: number;
  /** A hand-over that is under way; nothing is proposed meanwhile. */
  transfer: Transfer | null;
  /** When one was given up whose target may have been told, and may obey late, whatever it has promised; -Infinity for never. */
  toldInVainAtMs: number;
  /** A new voter that was added as a nonvoter first; one at a time. */
  staging: Staging | null;
  /** A change of address that waits for the member to answer at the new one. */
  moving: Extract<RaftCommand, { kind: 'addServer' }> | null;
  /** Bytes proposed by commands and not yet committed; bounded by `uncommittedBytesMax`. */
  uncommittedBytes: number;
}
