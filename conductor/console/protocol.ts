/**
 * What the console's server and its page say to each other: plain JSON, all times Unix milliseconds. Both import this
 * file and nothing else of each other.
 */

/** How a server is at a moment; null for what nobody told. */
export interface ServerState {
  /** False while its conductor does not answer. */
  readonly answers: boolean;
  readonly role: 'leader' | 'follower' | 'candidate' | 'nonvoter' | 'outside' | null;
  readonly isSequencing: boolean | null;
  readonly isHealthy: boolean | null;
  readonly isPaused: boolean | null;
}

/** One server as it is now. */
export interface ServerRow {
  readonly id: string;
  readonly state: ServerState;
  readonly term: number | null;
  /** Its op-node's unsafe head. */
  readonly head: number | null;
  /** Its execution client's head, and what it showed about the newest committed block, in words. */
  readonly clientHead: number | null;
  readonly word: string;
  readonly version: string | null;
  /** As the cluster file says; '' where it does not. */
  readonly zone: string;
  /** When the first of its certificates ends; null where that is not known. */
  readonly certificateEndMs: number | null;
  /** 'stream': its events are followed; 'polled': only asked, because it publishes none; 'refused': it asks for a token. */
  readonly source: 'stream' | 'polled' | 'refused';
  /** Why it does not answer; '' when it does. */
  readonly why: string;
}

export interface Trouble {
  readonly text: string;
  readonly sinceMs: number;
  /** Section of the runbook; '' where none is about it. */
  readonly code: string;
  /** Who silenced it until when, and why; null when nobody did. */
  readonly silence: { readonly reason: string; readonly untilMs: number } | null;
}

/** A step of a change; `state` is the operators' tool's: open, started, waiting, done, skipped, failed and so on. */
export interface ActStep {
  readonly title: string;
  readonly state: string;
  /** What is looked at before it, what is waited for, or why it was refused or failed. */
  readonly text: string;
  /** In a plan: `text` says why it would be refused. */
  readonly isRefused: boolean;
  readonly stopsSequencing: boolean;
}

/** An option of a change. */
export interface ActOption {
  readonly key: string;
  readonly doc: string;
  /** What is written into it, in a word; null for one that is on or off. */
  readonly value: string | null;
}

/** A command of the operators' tool, as the page offers it. */
export interface ActForm {
  readonly command: string;
  readonly description: string;
  /** What it does in order, and when it refuses. */
  readonly details: string;
  /** Servers that are named: none, one, one or none, several. */
  readonly servers: 'none' | 'one' | 'any' | 'many';
  readonly options: readonly ActOption[];
}

/** What a change would do. */
export interface Plan {
  /** Sent back to begin it: a plan that does something else by then is refused. */
  readonly id: string;
  readonly title: string;
  readonly steps: readonly ActStep[];
  /** What the tool says beside its steps. */
  readonly notes: readonly string[];
  /** What is left to do by hand at the end. */
  readonly afterwards: readonly string[];
  /** Why it would be refused; null when it would not. */
  readonly refusal: string | null;
}

/** A change that somebody began from a page. */
export interface Act {
  readonly title: string;
  /** Who. */
  readonly name: string;
  readonly atMs: number;
  readonly steps: readonly ActStep[];
  readonly notes: readonly string[];
  readonly afterwards: readonly string[];
  /** 1: no step follows the one in progress; 2: that one is taken back. */
  readonly interrupts: number;
  /** As the operators' tool ends: done, failed, refused, deadline, interrupted; null while it is under way. */
  readonly outcome: string | null;
  readonly reason: string;
}

/** One cluster as it is now. */
export interface ClusterNow {
  readonly name: string;
  readonly atMs: number;
  /** When all servers were asked last; null before the first time. */
  readonly lookedAtMs: number | null;
  readonly leader: string | null;
  readonly leaderSinceMs: number | null;
  readonly term: number | null;
  readonly blockMs: number;
  /** A block's own time, its timestamp, is this and `blockMs` for each number; null until a timestamp is known. */
  readonly zeroMs: number | null;
  /** The committed head, and when it was first seen. */
  readonly head: { readonly number: number; readonly hash: string; readonly atMs: number } | null;
  readonly servers: readonly ServerRow[];
  /** One sentence about the whole. */
  readonly summary: string;
  readonly troubles: readonly Trouble[];
  /**
   * The last hour, oldest first, one character for 30 seconds: a digit for the slots missed in it (9 for more), '.'
   * where nothing is known, '-' for a chain that stood for all of it.
   */
  readonly strip: string;
  /** The change that is under way, or the last one; null for none. */
  readonly act: Act | null;
}

/** Something that happened, for the log and as a mark. */
export interface Happening {
  readonly atMs: number;
  readonly server: string;
  readonly kind: string;
  readonly text: string;
}

/** A server's state from a moment on. */
export interface LaneChange {
  readonly server: string;
  readonly atMs: number;
  readonly state: ServerState;
}

/** Blocks one after the other, too many to be told each. */
export interface BlockRun {
  readonly fromMs: number;
  readonly toMs: number;
  /** Ascending. */
  readonly pauses: readonly (readonly [fromMs: number, toMs: number])[];
  /** How long a cell of `late` is. */
  readonly cellMs: number;
  /** Ascending; none for a cell without a block, and none at all while no timestamp is known. */
  readonly late: readonly LateCell[];
}

/**
 * Blocks of a cell of time, together: when it begins, and how long after their own times the first and the last of them
 * in that order was committed, and all on average.
 */
export type LateCell = readonly [fromMs: number, leastMs: number, meanMs: number, mostMs: number];

/** A block, and when it was first seen; where it was found by asking, how long before that it may have been. */
export type SeenBlock = readonly [number: number, atMs: number, spreadMs?: number];

/** A stretch of a cluster's history. */
export interface ClusterWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Ascending; the first of each server is what was so at `fromMs`. */
  readonly lanes: readonly LaneChange[];
  /** Ascending, from the last before it on; none where there are too many: then `run` tells. */
  readonly blocks: readonly SeenBlock[];
  /** Of a long stretch: from the first block to the last, and the pauses between; null where `blocks` tells. */
  readonly run: BlockRun | null;
  readonly happenings: readonly Happening[];
}

export interface FailoverPhase {
  readonly key: 'silence' | 'election' | 'read' | 'catch-up' | 'start' | 'block';
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** What ended it, and who saw it. */
  readonly note: string;
}

/** A change of leadership, from the last block before it to the first after it. */
export interface Failover {
  /** Unique in its cluster. */
  readonly id: string;
  readonly atMs: number;
  readonly from: string | null;
  readonly to: string;
  /** Null where nobody told it. */
  readonly term: number | null;
  /** 'lost': the leader was gone; 'handed': it gave leadership away; 'unknown': one that tells nothing did either. */
  readonly kind: 'lost' | 'handed' | 'unknown';
  /**
   * 'told' by the new leader's events; 'followed': by those of a server that follows it, so not what it did to start;
   * 'asked': found by asking, so nothing but the gap is known, and that as finely as it was asked.
   */
  readonly source: 'told' | 'followed' | 'asked';
  readonly phases: readonly FailoverPhase[];
  readonly lastBlock: number | null;
  readonly firstBlock: number | null;
  /** From the last block to the first; null while there is none. */
  readonly gapMs: number | null;
  /** The shortest and the longest that the gap may have been; null where it is known, or none yet. */
  readonly gapRangeMs: readonly [leastMs: number, mostMs: number] | null;
  /** Those that surely had no block. */
  readonly missedSlots: number | null;
  /** What may be why: verdicts, alarms, what people did, what failed around it. */
  readonly told: readonly Happening[];
}

/** What the page is told when it begins. */
export interface Session {
  /** The name that was proved; '' where the link of the start was used. */
  readonly name: string;
  /** To be sent as X-Console-Proof with every request that changes something. */
  readonly proof: string;
  readonly version: string;
  /** Whether clusters may be changed from here. */
  readonly mayAct: boolean;
}

/** Messages of the stream: event name to data. */
export interface StreamMessages {
  /** All clusters: the first message, and whenever one of them changes alone. */
  readonly clusters: readonly ClusterNow[];
  readonly happening: Happening & { readonly cluster: string };
  readonly block: { readonly cluster: string; readonly block: SeenBlock };
  readonly lane: LaneChange & { readonly cluster: string };
}

/** Seconds of one character of a strip, and characters of it. */
export const stripCellMs = 30_000;
export const stripCells = 120;
