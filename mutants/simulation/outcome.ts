/** What a hunt is told, and what comes of it; both travel between processes as JSON. */
import type { LawName } from '../../simulator/oracles/laws.ts';

/** What a hunt is told, as JSON in its first argument. */
export interface HuntOrder {
  /** File of the mutant; null hunts in the core as it is, which is the control. */
  readonly path: string | null;
  readonly seed: number;
  /** Processor time for finding, and for shrinking, seconds. */
  readonly budgetSeconds: number;
  readonly shrinkSeconds: number;
  /** Rounds that fail without any mutant, and prove nothing. */
  readonly skip: readonly number[];
}

/** A line on the error output of a hunt before each of its runs. */
export interface HuntProgress {
  /** Random runs so far, this one included. */
  readonly runs: number;
  /** As in the result. */
  readonly round: number;
  /** The run that begins, as a string that replays. */
  readonly run: string;
}

/** What came of it. */
export type HuntResult =
  | { readonly kind: 'survived'; readonly runs: number; readonly seconds: number; readonly virtualSeconds: number }
  | {
      readonly kind: 'killed';
      /** 'baseline': it costs other than recorded, and breaks no law. */
      readonly law: LawName | 'baseline';
      readonly message: string;
      readonly runs: number;
      readonly seconds: number;
      readonly virtualSeconds: number;
      /** The round that found it, and how many events the run had, before and after shrinking. */
      readonly round: number;
      readonly events: number;
      readonly shrunkEvents: number;
      /** Both as strings that replay. */
      readonly found: string;
      readonly shrunk: string;
      readonly story: string;
      /** Every law that the whole shrunk run breaks. */
      readonly laws: readonly LawName[];
    };

/**
 * Of a mutant. 'noticed' and 'unnoticed': by the test or the search that has to, with why not; 'broken': the simulator
 * cannot even load it.
 */
export type Outcome =
  | HuntResult
  | { readonly kind: 'noticed' }
  | { readonly kind: 'unnoticed' | 'broken'; readonly message: string };
