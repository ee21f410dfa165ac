/** Benchmarks that are measured row by row: what --rows and --rounds leave out, and the kept rows that stay beside those of now. */
import { KEPT_DIRECTORY, KeptResults } from './kept-results.ts';
import type { BenchRun } from './options.ts';

/** What is left out, in sentences; `rows` is what the benchmark calls its rows, one and many. */
export function leftOutOf(run: BenchRun, rows: { readonly one: string; readonly many: string }): readonly string[] {
  return [
    ...run.leftOut,
    ...(run.matching === null ? [] : [`only ${rows.many} that match ${run.matching}`]),
    ...(run.rounds === null ? [] : [`at most ${run.rounds} rounds of each ${rows.one}`]),
  ];
}

/** What was measured before and is to stay beside a part that is measured now; --keep says so. Empty otherwise. */
export function keptBeside<Row>(run: BenchRun, name: string): readonly Row[] {
  const isPart = run.keepsAnyway && run.matching !== null;
  return isPart ? (new KeptResults(KEPT_DIRECTORY).of<readonly Row[]>(name) ?? []) : [];
}

/** What was measured before, with the rows that were measured now in the place of their former selves. */
export function merged<Row>(before: readonly Row[], now: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const fresh = new Set(now.map(keyOf));
  return [...before.filter((row) => !fresh.has(keyOf(row))), ...now];
}
