/** What `run.ts` tells the Vitest it starts, and what comes back, as JSON files named by the environment. */
import { readFileSync } from 'node:fs';
import type { Catcher, Mutant } from '../mutant.ts';

/** Names of the environment's variables. */
export const BATCH_FILE = 'CONDUCTOR_MUTANTS_FILE';
export const OUTCOME_FILE = 'CONDUCTOR_MUTANTS_OUTCOME';

/** A mutant, and the one of its catchers that is tried. */
export interface TestedMutant {
  readonly mutant: Mutant;
  readonly test: Extract<Catcher, { by: 'test' }>;
}

export interface BatchMutant extends TestedMutant {
  /** Unique in the batch. */
  readonly key: string;
}

export interface Batch {
  readonly mutants: readonly BatchMutant[];
}

/** How one test ended in one project. */
export interface TestOutcome {
  /** The mutant's key, or 'as-it-is'. */
  readonly project: string;
  /** From the repository's root. */
  readonly file: string;
  readonly name: string;
  readonly state: string;
}

export function readBatch(): Batch {
  return JSON.parse(readFileSync(process.env[BATCH_FILE] ?? '', 'utf8')) as Batch;
}
