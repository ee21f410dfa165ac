/** One side of an incident, and what its rounds showed. */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { Seeded } from '../../tests/cluster/seeded.ts';

/** What is asked of a side. */
export interface Round {
  readonly side: Implementation;
  readonly rounds: number;
  readonly random: Seeded;
}

/** One round: milliseconds, null where the chain did not go on (or two stayed started) for as long as anybody waited. */
export interface Sample {
  readonly ms: number | null;
  /** Two blocks at one height, and what else must not be. */
  readonly faults: readonly string[];
}
