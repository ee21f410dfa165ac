/**
 * `npm run mutants`: puts one deliberate bug after the other into the code and looks whether it is caught by whom it says,
 * each in a process of its own; README.md says how to add one and how to read what comes out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMutants, patchesFolder, type LoadedMutant } from './load.ts';
import { catcherText, PatchError, type Catcher } from './mutant.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { isCaught, lineOf, recordOf, Results, type Method, type MutantRecord } from './report.ts';
import { search } from './search/searching.ts';
import { hunt } from './simulation/hunting.ts';
import type { Outcome } from './simulation/outcome.ts';
import { huntMutant } from './simulation/simulate.ts';
import type { TestedMutant } from './vitest/batch.ts';
import { batches, complaints } from './vitest/run.ts';

const root = join(import.meta.dirname, '..');
const resultsPath = join(import.meta.dirname, 'results.json');

/** A mutant and one of those who have to catch it. */
interface Trial {
  readonly mutant: LoadedMutant;
  readonly catcher: Catcher;
}

/** Those that were asked for, or a sentence that says why there are none. */
function choose({ folder, only, by, isOnlyMissing }: Options, kept: Results): Trial[] | string {
  const all = loadMutants(folder);
  if (all.length === 0) return `there is no *.mutant in ${folder}`;
  const unknown = only?.filter((id) => !all.some((mutant) => mutant.id === id)) ?? [];
  if (unknown.length > 0) return `there is no mutant ${unknown.join(', ')}`;
  const trials = all.flatMap((mutant) => mutant.caughtBy.map((catcher) => ({ mutant, catcher })));
  return trials.filter(
    ({ mutant: { id }, catcher }) =>
      (only?.includes(id) ?? true) &&
      (by === null || catcher.by === by) &&
      !(isOnlyMissing && kept.isCaught(id, catcherText(catcher))),
  );
}

/** Runs the trials one after the other, those of tests in batches, and tells what came of each. */
async function tryAll(trials: readonly Trial[], options: Options, tell: (record: MutantRecord) => void): Promise<void> {
  const { budgetSeconds, shrinkSeconds, seed } = options;
  const method: Method = { budgetSeconds, seed, date: new Date().toISOString().slice(0, 10) };
  const tested = trials.flatMap(({ mutant, catcher }) => (catcher.by === 'test' ? [{ mutant, test: catcher }] : []));
  for (const batch of batches(tested)) {
    const found = await outcomesOfTests(batch);
    for (const [at, { mutant, test }] of batch.entries()) tell(recordOf(mutant, test, found[at]!, method));
  }
  for (const { mutant, catcher } of trials) {
    if (catcher.by === 'search') {
      const { broken, text } = await search(mutant.path, catcher.scope);
      const message = broken === null ? text.trim() : `broken is ${broken.law}`;
      const isNoticed = broken?.law === catcher.law;
      tell(recordOf(mutant, catcher, isNoticed ? { kind: 'noticed' } : { kind: 'unnoticed', message }, method));
    } else if (catcher.by === 'simulation') {
      const result = await huntMutant({ seed, budgetSeconds, shrinkSeconds, skip: [], path: mutant.path });
      tell(recordOf(mutant, catcher, result, method));
      if (result.kind === 'killed' && (mutant.isPolicy || trials.length === 1))
        console.log(`${result.story.replaceAll(/^/gm, '    ')}\n`);
    }
  }
}

async function outcomesOfTests(batch: readonly TestedMutant[]): Promise<Outcome[]> {
  const found = await complaints(batch);
  return found.map((message) => (message === null ? { kind: 'noticed' } : { kind: 'unnoticed', message }));
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
  const records: MutantRecord[] = [];
  await tryAll(chosen, options, (record) => {
    records.push(record);
    console.log(lineOf(record));
    if (options.mustWrite) write(kept, [record]);
  });
  // The simulator finds nothing in the core as it is.
  const isWhole = options.only === null && !options.isOnlyMissing && (options.by ?? 'simulation') === 'simulation';
  const control = isWhole ? await hunt({ seed, budgetSeconds, shrinkSeconds, skip: [], path: null }) : null;
  if (options.mustWrite) write(kept, [], control);
  console.log(new Results(null).with(records, control).summary());
  const areAsClaimed = records.every((record) => isCaught(record.result) !== (record.equivalent !== null));
  return areAsClaimed && (control === null || control.kind === 'survived') ? 0 : 1;
}

function write(kept: Results, records: readonly MutantRecord[], control: Outcome | null = null): void {
  const known = loadMutants(patchesFolder);
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
