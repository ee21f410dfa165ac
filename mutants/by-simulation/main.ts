/**
 * `npm run mutants`: puts one deliberate bug after the other into the core and lets the simulator hunt for it, each in
 * a process of its own; README.md says how to add one and how to read what comes out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execute } from '../../simulator/run.ts';
import { runFromText } from '../../simulator/run-value.ts';
import { loadMutants, patchesFolder, type LoadedMutant } from './load.ts';
import { hunt } from './hunting.ts';
import type { HuntOrder, Outcome } from './outcome.ts';
import { PatchError } from './patch.ts';
import { lineOf, recordOf, Results, type MutantRecord } from './report.ts';

const USAGE = `usage: npm run mutants -- [--only=ID,ID] [--dir=FOLDER] [--budget=SECONDS] [--seed=N] [--write] [--missing]
  --only=ID,ID       only these
  --dir=FOLDER       the mutants (*.mutant) of another folder; nothing is kept of them
  --budget=SECONDS   processor time for each before it counts as survivor (default 60)
  --shrink=SECONDS   processor time for making a found run short (default 20)
  --seed=N           other random runs (default 1)
  --write            keeps what comes out in mutants/by-simulation/results.json and results.md, beside what is there
  --missing          only those that were not killed yet, by what is kept there`;

const root = join(import.meta.dirname, '..', '..');
const resultsPath = join(import.meta.dirname, 'results.json');

interface Options {
  readonly only: readonly string[] | null;
  readonly folder: string;
  readonly budgetSeconds: number;
  readonly shrinkSeconds: number;
  readonly seed: number;
  readonly mustWrite: boolean;
  readonly isOnlyMissing: boolean;
}

const FLAGS = new Set(['write', 'missing']);

function readOptions(args: readonly string[]): Options | null {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const [, name, value] = /^--(only|dir|budget|shrink|seed|write|missing)(?:=(.*))?$/.exec(args[at]!) ?? [];
    if (name === undefined) return null;
    values.set(name, value ?? (FLAGS.has(name) ? 'true' : (args[++at] ?? '')));
  }
  const budgetSeconds = Number(values.get('budget') ?? 60);
  const shrinkSeconds = Number(values.get('shrink') ?? 20);
  const seed = Number(values.get('seed') ?? 1);
  // What is kept belongs to the mutants of this repository, whatever others are called.
  if (values.has('dir') && (values.has('write') || values.has('missing'))) return null;
  if (!(budgetSeconds > 0) || !(shrinkSeconds >= 0) || !Number.isSafeInteger(seed) || seed < 1) return null;
  return {
    only: values.get('only')?.split(',') ?? null,
    folder: values.has('dir') ? resolve(values.get('dir')!) : patchesFolder,
    budgetSeconds,
    shrinkSeconds,
    seed,
    mustWrite: values.has('write'),
    isOnlyMissing: values.has('missing'),
  };
}

/** Whether the core as it is passes that run: only then was it the mutant that failed. */
function isInnocent(text: string): boolean {
  return execute(runFromText(text)).violation === null;
}

async function huntMutant(order: HuntOrder): Promise<Outcome> {
  const result = await hunt(order);
  if (result.kind !== 'killed' || order.path === null || isInnocent(result.shrunk)) return result;
  // Shrinking has led to a run that the core fails anyway: what was found first still counts, if it does.
  if (isInnocent(result.found)) return { ...result, shrunk: result.found, shrunkEvents: result.events };
  return huntMutant({ ...order, skip: [...order.skip, result.round] });
}

/** Those that were asked for, or a sentence that says why there are none. */
function choose({ folder, only, isOnlyMissing }: Options, kept: Results): LoadedMutant[] | string {
  const all = loadMutants(folder);
  if (all.length === 0) return `there is no *.mutant in ${folder}`;
  const unknown = only?.filter((id) => !all.some((mutant) => mutant.id === id)) ?? [];
  if (unknown.length > 0) return `there is no mutant ${unknown.join(', ')}`;
  return all.filter(({ id }) => (only?.includes(id) ?? true) && !(isOnlyMissing && kept.isKilled(id)));
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    return 0;
  }
  const options = readOptions(args);
  if (options === null) {
    console.error(USAGE);
    return 2;
  }
  const kept = new Results(existsSync(resultsPath) ? readFileSync(resultsPath, 'utf8') : null);
  const chosen = choose(options, kept);
  if (typeof chosen === 'string') {
    console.error(chosen);
    return 2;
  }
  const { budgetSeconds, shrinkSeconds, seed } = options;
  const order = { seed, budgetSeconds, shrinkSeconds, skip: [] };
  const today = new Date().toISOString().slice(0, 10);
  const records: MutantRecord[] = [];
  for (const mutant of chosen) {
    const result = await huntMutant({ ...order, path: mutant.path });
    const record = recordOf(mutant, result, { budgetSeconds, seed, date: today });
    records.push(record);
    console.log(lineOf(record));
    if (result.kind === 'killed' && (mutant.isPolicy || chosen.length === 1))
      console.log(`${result.story.replaceAll(/^/gm, '    ')}\n`);
    if (options.mustWrite) write(kept, [record]);
  }
  const isWhole = options.only === null && !options.isOnlyMissing;
  const control = isWhole ? await hunt({ ...order, path: null }) : null;
  if (options.mustWrite) write(kept, [], control);
  console.log(new Results(null).with(records, control).summary());
  const isCaught = ({ result, equivalent }: MutantRecord): boolean =>
    (result.kind === 'killed') !== (equivalent !== null);
  return records.every(isCaught) && (control === null || control.kind === 'survived') ? 0 : 1;
}

function write(kept: Results, records: readonly MutantRecord[], control: Outcome | null = null): void {
  const known = new Set(loadMutants(patchesFolder).map(({ id }) => id));
  const results = kept.with(records, control).only(known);
  writeFileSync(resultsPath, results.json());
  writeFileSync(join(import.meta.dirname, 'results.md'), results.markdown());
  writeFileSync(join(root, 'content/data/mutants.json'), results.table());
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof PatchError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}
