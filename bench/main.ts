/**
 * `npm run bench`: all benchmarks and the table of goals; `-- <name> …` runs some, `-- goals` prints the table from
 * kept results. help.ts has the options, README.md says what stands behind them.
 */
import { join } from 'node:path';
import { benchmarks, inEveryRun, type BenchmarkName } from './benchmarks.ts';
import { benchDirectory, removeLeftovers, removeRunDirectoryAtExit } from './directories.ts';
import { goalsTable } from './goals-table.ts';
import { help, usage } from './help.ts';
import { KEPT_DIRECTORY, KeptResults } from './kept-results.ts';
import { takeLock } from './lock.ts';
import { requireNamedPrograms } from './named-programs.ts';
import { CommandLineError, effortWithin, parseCommandLine, type BenchOptions } from './options.ts';
import { endOrphansWithUs } from './orphans.ts';
import { prepare } from './prepare.ts';

const GOALS = 'goals';
/** What a shell calls a process that Ctrl-C ended. */
const INTERRUPTED = 130;

async function main(args: readonly string[]): Promise<void> {
  const { names: asked, options: given, minutes, wantsHelp } = parseCommandLine(args);
  if (wantsHelp) return console.log(help());
  const unknown = asked.find((name) => name !== GOALS && !(name in benchmarks));
  if (unknown !== undefined) throw new CommandLineError(`no benchmark is called ${unknown}`);
  const isAll = asked.length === 0;
  const names = isAll ? inEveryRun : (asked.filter((name) => name !== GOALS) as BenchmarkName[]);
  if (names.length > 0) await runAll(names, minutes === null ? given : withinMinutes(names, given, minutes));
  if (isAll || asked.includes(GOALS)) printGoals(given.isQuick && !given.keepsAnyway);
}

/** One that fails must not cost the others: it is told, and the exit code says so. */
async function runAll(names: readonly BenchmarkName[], options: BenchOptions): Promise<void> {
  requireNamedPrograms(process.env);
  takeLock(join(benchDirectory(), 'lock'));
  removeLeftovers(benchDirectory());
  removeRunDirectoryAtExit();
  endOrphansWithUs();
  const runOf = await prepare(
    names.map((name) => benchmarks[name]),
    options,
  );
  for (const [at, name] of names.entries()) {
    const startedMs = performance.now();
    console.log(`\n== ${name} (${at + 1} of ${names.length})`);
    const run = runOf(benchmarks[name]);
    if (run === null) {
      console.log(`${name} is left out: of the sides asked for there is nothing to measure`);
      if (benchmarks[name].beside !== 'nothing') process.exitCode = 1;
      continue;
    }
    try {
      await benchmarks[name].run(run);
    } catch (error) {
      console.error(`${name} stopped: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
    console.log(`${name} took ${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
  }
}

function withinMinutes(names: readonly BenchmarkName[], options: BenchOptions, minutes: number): BenchOptions {
  const sum = (size: 'full' | 'quick'): number => names.reduce((all, name) => all + benchmarks[name].minutes[size], 0);
  const effort = options.isQuick ? 0 : effortWithin(minutes, { full: sum('full'), quick: sum('quick') });
  console.log(
    `${minutes} minutes for what takes ${sum('full')} whole and ${sum('quick')} quick: effort ${effort.toFixed(2)}`,
  );
  return { ...options, effort };
}

function printGoals(isOfAside: boolean): void {
  const { text, fallsShort, unknown, unreadable } = goalsTable(
    new KeptResults(isOfAside ? benchDirectory() : KEPT_DIRECTORY),
  );
  console.log(`\n${text}`);
  if (fallsShort + unknown + unreadable > 0) process.exitCode = 1;
}

// So that whoever started processes hears of the end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED));

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof CommandLineError) console.error(usage);
  process.exitCode = 2;
}
