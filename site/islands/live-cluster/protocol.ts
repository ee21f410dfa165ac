/**
 * What the page and its worker say to each other: commands one way, frames the other, plain JSON both ways. A frame
 * is all there is to draw at a moment; only `strokes` and `sentences` are what came since the frame before it.
 * Times are virtual milliseconds since the cluster was formed.
 */
import type { Moment } from './link.ts';
import type { ClusterVerbName, VerbName } from './verbs.ts';

export type Command =
  /** Begins a run (its string), and lets it come to `afterMs` after its last event, where its trace is as given. */
  | ({ readonly kind: 'open'; readonly isPlaying: boolean } & Moment)
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' }
  /** Virtual milliseconds per millisecond. */
  | { readonly kind: 'speed'; readonly factor: number }
  /** Stops, and goes on by so much, or until something is worth a sentence. */
  | { readonly kind: 'step'; readonly by: number | 'sentence' }
  /** Does something to a server, or to whoever leads; what is under way already is ended instead. */
  | { readonly kind: 'act'; readonly verb: VerbName; readonly at: number | 'leader' }
  /** Does something to the whole cluster. */
  | { readonly kind: 'actOnAll'; readonly verb: ClusterVerbName }
  /** Posts a body to the JSON-RPC port of a server. */
  | ({ readonly kind: 'call' } & PortCall);

/** What is posted to a port; `id` says which answer belongs to it. */
export interface PortCall {
  readonly id: number;
  readonly at: number;
  /** JSON, as it would be sent. */
  readonly body: string;
  /** Whether the server runs with --rpc.enable-admin. */
  readonly isAdminEnabled: boolean;
}

export type Reply =
  /** The worker listens: what is sent before is lost, because its modules load asynchronously. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'frame'; readonly frame: Frame }
  | ({ readonly kind: 'answer' } & PortAnswer)
  /** A run that cannot be shown, or an act that cannot be done, with a sentence why. */
  | { readonly kind: 'refused'; readonly message: string };

/** The answer to a call; null when none came in the time that a client waits. */
export interface PortAnswer {
  readonly id: number;
  readonly text: string | null;
  /** Virtual milliseconds it took. */
  readonly tookMs: number;
}

export interface Frame {
  readonly nowMs: number;
  readonly isPlaying: boolean;
  /** The run on its way to where its link says; what is drawn is not there yet. */
  readonly isReplaying: boolean;
  /** Why time does not go on any more; null while it can. */
  readonly ended: string | null;
  /** The run so far, and the time since its last event: together they name this very moment. */
  readonly run: string;
  readonly afterMs: number;
  /** 16 hex digits over everything that has happened. */
  readonly hash: string;
  /** Laws that have held so far; the broken one, or null. */
  readonly lawsHeld: number;
  readonly lawBroken: string | null;
  readonly nodes: readonly NodeFrame[];
  readonly links: readonly LinkFrame[];
  readonly strokes: readonly StrokeFrame[];
  /** The latest blocks, oldest first. */
  readonly blocks: readonly BlockFrame[];
  readonly sentences: readonly Sentence[];
}

export interface NodeFrame {
  readonly name: string;
  readonly presence: 'up' | 'frozen' | 'down';
  /** As it was last, while it is down. */
  readonly role: 'leader' | 'candidate' | 'follower';
  readonly term: number;
  readonly isPaused: boolean;
  readonly isHealthy: boolean;
  readonly sequencer: 'active' | 'idle' | 'down';
  /** Height of the node's unsafe head. */
  readonly head: number;
  readonly commitIndex: number;
  readonly lastIndex: number;
  /** The latest entries of its log, oldest first. */
  readonly log: readonly Measure[];
  /** What is being done to it. */
  readonly verbs: readonly VerbName[];
}

/** One entry of a log. */
export interface Measure {
  readonly index: number;
  readonly term: number;
  readonly kind: 'block' | 'membership' | 'other';
}

/** From one node to another, by number; only links with something wrong are told. */
export interface LinkFrame {
  readonly from: number;
  readonly to: number;
  readonly state: 'cut' | 'impaired';
}

/** A message that has arrived. */
export interface StrokeFrame {
  /** Unique in a run. */
  readonly id: number;
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
  readonly kind: 'vote' | 'append' | 'heartbeat' | 'handover';
}

export interface BlockFrame {
  readonly number: number;
  readonly atMs: number;
  /** The node whose sequencer published it. */
  readonly by: number;
}

export interface Sentence {
  readonly id: number;
  readonly atMs: number;
  readonly text: string;
  /** To be read out; the others are for the log. */
  readonly isLoud: boolean;
}
