/** What the control loop is given to work with: settings and their defaults, and the host. */
import type { Logger, Metrics } from '../ports.ts';
import type { ChainView } from '../node/chain-view.ts';
import type { ProcedureHost } from '../node/procedure.ts';
import type { BlockRef } from '../node/calls.ts';
import type { Refusal } from '../evidence/evidence.ts';
import type { Proof } from '../evidence/proof.ts';
import type { Peer } from './target.ts';
import type { StandingHead } from './standing-head.ts';

/** Settings that reach the control loop as they are. */
export interface ControlSettings {
  readonly blockTimeMs: number;
  /** From one health check to the next: what peers tell of their heads is as old. */
  readonly healthIntervalMs: number;
  readonly isPaused: boolean;
  /** Whether the sequencer runs, as read at start; null when the node did not say. */
  readonly isActive: boolean | null;
  readonly isRoundRobin: boolean;
  /** A block that an operator says descends from the committed head (rule 4), "0x" and 64 digits; null for none. */
  readonly trustedHash: string | null;
}

/** But for what depends on the rollup, the node and how often its health is checked. */
export const CONTROL_DEFAULTS = {
  isPaused: false,
  isRoundRobin: false,
  trustedHash: null,
} as const satisfies Omit<ControlSettings, 'blockTimeMs' | 'healthIntervalMs' | 'isActive'>;

export interface ControlOptions extends ControlSettings {
  readonly selfId: string;
  readonly unsafeIntervalMs: number;
  /** Whether op-node's recover mode may be used as a last resort (rule 29). */
  readonly mayRecover: boolean;
}

export interface ControlHost extends ProcedureHost {
  readonly chain: ChainView;
  /** As `chain`, with what this server's log holds beyond what is committed. */
  readonly endOfLog: ChainView;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  random(): number;
  /** Where each member's node and client stand, in a few words for the log. */
  whoStandsWhere?(): string;
  /** All members but ourselves. */
  peers(): readonly Peer[];
  isLeaderOf(term: number): boolean;
  /** Whether a committed block may be given up (rule 6). */
  proofAgainst(block: BlockRef): Proof;
  /** The node of some voter has left the block, or its safe chain has another one there. */
  isLeft(block: BlockRef): boolean;
  /** What our own node is known to have against a committed block; null for nothing. */
  refusal(block: BlockRef): Refusal | null;
  /** Our own client calls the block invalid, or lists it as such, whatever that proves. */
  clientRefuses(block: BlockRef): boolean;
  /** Our own client executes nothing that follows its head before it has synced or was restarted. */
  needsSync(): boolean;
  /** Our own op-node's driver loop does not turn, as while L1 answers nothing: it inserts nothing that others have built. */
  isHeldUp(): boolean;
  /** A block of the own sequencer is being validated or replicated. */
  isCommitting(): boolean;
  /** Our own client is being made to forget blocks of which it lost the states. */
  isForgetting(): boolean;
  /** Our own client has lost its head, and is being brought to the tip, on which op-node stands. */
  isRefilling(): boolean;
  /** Whether the own node could be started lately may have changed: peers are to be told. */
  startTroubleChanged(): void;
  /** Our own node has left committed blocks because L1 took their origin, as far as it shows now. */
  hasLeft(): boolean;
  /** Has the own node looked at, and tells when the last look that has ended began, monotonic milliseconds. */
  lookNow(): void;
  lookedAtMs(): number;
  /** The own client may be asked by the engine API. */
  readonly hasEngine: boolean;
}

/** The verdict the loop acts on. */
export interface ControlVerdict {
  readonly isHealthy: boolean;
  /** False when the cause is that the node, or its client, could not be reached. */
  readonly nodeAnswers: boolean;
  /** False when sequencing on cannot end the cause, so that no recovery is waited for; default true. */
  readonly mayRecover?: boolean;
  /** True when its client has ended, so that the sequencer cannot build. */
  readonly clientIsGone?: boolean;
  /** True when nothing is wrong but the age of the head. */
  readonly isOnlyStale?: boolean;
  /** The head is old, whatever else is wrong. */
  readonly isStale?: boolean;
  /** Height of the node's head; null or absent where it did not say. */
  readonly headNumber?: bigint | null;
}

/**
 * The own sequencer commits nothing while its node and client answer (rule 31): 'own' asks for leadership to move
 * once; 'common' shows a cause that another leader shares, for which an old head alone moves nobody.
 */
export interface Standing {
  readonly kind: 'own' | 'common';
  /** What has to go on before leadership moves again, where the cause is common; L1 by default. */
  readonly waitsFor?: 'L1' | 'the safe head' | 'another server';
  /** What the own node has; null for not known. A peer that has more is the better leader. */
  readonly l1Number: bigint | null;
  readonly safeNumber: bigint | null;
  readonly head: StandingHead;
}
