/** The command line of `npm run mutants`. */
import { resolve } from 'node:path';
import { patchesFolder } from './load.ts';
import type { Catcher } from './mutant.ts';

export const USAGE = `usage: npm run mutants -- [--only=ID,ID] [--by=test|simulation|search] [--dir=FOLDER] [--write] [--missing] …
  --only=ID,ID       only these
  --by=KIND          only those that tests, the simulator or the search have to catch
  --dir=FOLDER       the mutants (*.mutant) of another folder; nothing is kept of them
  --budget=SECONDS   the simulator's processor time for each before it counts as survivor (default 60)
  --shrink=SECONDS   processor time for making a found run short (default 20)
  --seed=N           other random runs (default 1)
  --write            keeps what comes out in mutants/results.json and results.md, beside what is there
  --missing          only those that were not caught yet, by what is kept there`;

export interface Options {
  readonly only: readonly string[] | null;
  readonly by: Catcher['by'] | null;
  readonly folder: string;
  readonly budgetSeconds: number;
  readonly shrinkSeconds: number;
  readonly seed: number;
  readonly mustWrite: boolean;
  readonly isOnlyMissing: boolean;
}

const FLAGS = new Set(['write', 'missing']);
const KINDS: readonly Catcher['by'][] = ['test', 'simulation', 'search'];

/** Null for what USAGE does not offer. */
export function readOptions(args: readonly string[]): Options | null {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const [, name, value] = /^--(only|by|dir|budget|shrink|seed|write|missing)(?:=(.*))?$/.exec(args[at]!) ?? [];
    if (name === undefined) return null;
    values.set(name, value ?? (FLAGS.has(name) ? 'true' : (args[++at] ?? '')));
  }
  const by = KINDS.find((kind) => kind === values.get('by')) ?? null;
  const budgetSeconds = Number(values.get('budget') ?? 60);
  const shrinkSeconds = Number(values.get('shrink') ?? 20);
  const seed = Number(values.get('seed') ?? 1);
  if (values.has('by') && by === null) return null;
  // What is kept belongs to the mutants of this repository, whatever others are called.
  if (values.has('dir') && (values.has('write') || values.has('missing'))) return null;
  if (!(budgetSeconds > 0) || !(shrinkSeconds >= 0) || !Number.isSafeInteger(seed) || seed < 1) return null;
  return {
    only: values.get('only')?.split(',') ?? null,
    by,
    folder: values.has('dir') ? resolve(values.get('dir')!) : patchesFolder,
    budgetSeconds,
    shrinkSeconds,
    seed,
    mustWrite: values.has('write'),
    isOnlyMissing: values.has('missing'),
  };
}
