/** What an oracle is: it watches a run and says when its law is broken. One law each. */
import type { ConductorEvent } from '#conductor/core/events';
import type { Run } from '../run-value.ts';
import type { RunObserver } from '../observer.ts';
import type { World } from '../world.ts';

/** The world when all faults are over and a while has passed. */
export interface Ending {
  readonly world: World;
  readonly run: Run;
  /** When the last fault was over. */
  readonly calmFromMs: number;
}

export type Oracle = Partial<RunObserver> & {
  /** Kinds of events that its `handled` looks at, and is told of; all unless it says. */
  readonly handles?: readonly ConductorEvent['kind'][];
  /**
   * Its `observed` looks at the position and at whose it is, and where they are the same as the last time there is nothing
   * for it to do: it is told of changes alone.
   */
  readonly goesByPosition?: true;
  /** The world, before anything happens in it. */
  watch?(world: World): void;
  /** Looks back at the end. */
  finish?(ending: Ending): void;
};

/**
 * Makes an oracle for one run. `broken` ends the run with the law's name and this message; `note` counts that
 * something worth having happened did, such as that the law had anything to judge.
 */
export type Law = (broken: (message: string) => void, note: (name: string) => void) => Oracle;

/** A law that is left out of a build: it holds, and counts for nothing. */
export const leftOut: Law = () => ({});
