/** The random runs there are, by the names that the command line and the table give their kinds and sets. */
import fc from 'fast-check';
import { overridden, single, storm } from './arbitrary.ts';
import { disagreement } from './disagreement.ts';
import { disagreementKinds, hardshipKinds, usualKinds } from './fault-sets.ts';
import { eventKinds, type EventKind } from './faults.ts';
import { hardship, mixed, mixedKinds } from './hardship.ts';
import type { Run } from './run-value.ts';
import { scramble } from './scramble.ts';

export const runKinds = { storm, single, overridden, scramble } as const satisfies Readonly<
  Record<string, fc.Arbitrary<Run>>
>;

export type RunKind = keyof typeof runKinds;

/** Sets of faults that the usual runs leave out. */
export const faultSets = {
  disagreement: { runs: disagreement, kinds: disagreementKinds },
  hardship: { runs: hardship, kinds: hardshipKinds },
  mixed: { runs: mixed, kinds: mixedKinds },
} as const;

/** Runs to choose from, and what may happen in them. */
export interface RunSpace {
  readonly name: string;
  readonly runs: fc.Arbitrary<Run>;
  readonly kinds: readonly EventKind[];
}

const ofKinds: readonly RunSpace[] = Object.entries(runKinds).map(([name, runs]) => ({
  name,
  runs,
  kinds: usualKinds,
}));
const ofSets: readonly RunSpace[] = Object.entries(faultSets).map(([name, set]) => ({ name, ...set }));

/** Name of all kinds and sets together. */
export const everything = 'everything';

/** Runs of one kind or of one set, of everything where neither is named; null where there is no such. */
export function spaceOf(kind: string, faults: string): RunSpace | null {
  if (kind !== '' && faults !== '') return null;
  if (kind !== '') return ofKinds.find(({ name }) => name === kind) ?? null;
  if (faults !== '') return ofSets.find(({ name }) => name === faults) ?? null;
  const all = [...ofKinds, ...ofSets].map(({ runs }) => runs);
  return { name: everything, runs: fc.oneof(...all), kinds: eventKinds };
}
