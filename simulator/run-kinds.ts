/** The kinds of random runs there are, by the name that the command line and the table give them. */
import type fc from 'fast-check';
import { overridden, single, storm } from './arbitrary.ts';
import type { Run } from './run-value.ts';
import { scramble } from './scramble.ts';

export const runKinds = { storm, single, overridden, scramble } as const satisfies Readonly<
  Record<string, fc.Arbitrary<Run>>
>;

export type RunKind = keyof typeof runKinds;
