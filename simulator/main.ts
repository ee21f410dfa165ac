/**
 * `npm run sim -- <command>`: replay one run and tell its story; soak: go through random runs until told to stop or
 * until a law is broken, then shrink; or exhaustive: every order of what can happen to the raft core, within bounds.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type fc from 'fast-check';
import { compareRuns } from './baseline/comparison.ts';
import { readRecorded, recordedText } from './baseline/recorded.ts';
import { exhaustive, EXHAUSTIVE_USAGE } from './exhaustive/command.ts';
import { Timekeeper } from './regressions/timekeeper.ts';
import waitingRuns from './regressions/waiting.json' with { type: 'json' };
import { execute } from './run.ts';
import { mergeShardFiles, soakShard } from './shard-command.ts';
import { ShardError } from './sharded-soak.ts';
import { everything, faultSets, runKinds, spaceOf } from './run-kinds.ts';
import { EVENT_LIMITS, runFromText, RunTextError, type Run } from './run-value.ts';
import { seek, type Finding } from './seek.ts';
import { PROGRESS_MS, Soak } from './soak.ts';
import { storyOfFinding, storyOfRun } from './story.ts';
import { makeTable, tableText } from './table.ts';

const USAGE = `usage: npm run sim -- replay <run> [--after MS]
                                            tell the story of a run, or until so long after its last event;
                                            exit 1 if a law is broken
       npm run sim -- soak [--minutes N] [--seed N] [--kind <kind> | --faults <set>]
                                            random runs until a law is broken, then shrink; exit 1 then;
                                            Ctrl-C ends it after the run at hand, with the summary and exit 130;
                                            kinds: ${Object.keys(runKinds).join(', ')};
                                            sets of faults in runs of their own: ${Object.keys(faultSets).join(', ')};
                                            without either, all of these
       npm run sim -- soak --shard I/N --corpus DIR --seed N [--runs N] [--minutes N] [--kind <kind> | --faults <set>]
                                            the runs of one shard of N, --runs in all of them together; what it has
                                            done and the first run to reach each state are kept in DIR, and gone on
                                            with; it does not end at a broken law; exit 1 if there was any
       npm run sim -- soak --merge DIR      one report of all shards in DIR, into DIR/report.json
       npm run sim -- soak --spec [--minutes N] [--seed N]
                                            random runs, step by step against the published raft.tla; exit 1 at
                                            the first step that it does not allow
       npm run sim -- models [--large] [<model> …]
                                            every state of our own rules as models in TLA+, within small bounds or
                                            large ones, and that what breaks them does; exit 1 otherwise
       npm run sim -- baseline [--write] [<run> …]
                                            whether fixed runs still cost what is recorded: time without blocks,
                                            elections, calls, messages, writes, warnings; exit 1 otherwise;
                                            --write records them again, and the runs that are named as well
       npm run sim -- waiting               which runs that wait for a part of the core still break their law;
                                            exit 1 if one of them does not: it is a regression from now on
       npm run sim -- table [--runs N] [--out FILE]
                                            law × runs × events from fixed seeds, N (1000) of each kind, into FILE;
                                            without both options into content/data/simulation.json
${EXHAUSTIVE_USAGE}`;

/** Runs of each kind for the table, unless it is told; of so many is what the documentation shows. */
const TABLE_RUNS = 1000;
const TABLE_FILE = join(import.meta.dirname, '..', 'content', 'data', 'simulation.json');
const BASELINE_FILE = join(import.meta.dirname, 'baseline', 'recorded.txt');
/** How long shrinking may take: by then all is left out that can be, and what follows makes a long run a little plainer. */
const SHRINK_MS = 20_000;
/** What ends a soak early, and its exit code then: that of a shell for Ctrl-C. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const STOPPED = 130;

const print = (line: string): void => console.log(line);

function replay(args: string[]): number {
  const { values, positionals } = parseArgs({ args, options: { after: { type: 'string' } }, allowPositionals: true });
  const [text] = positionals;
  const afterMs = Number(values.after ?? 0);
  if (text === undefined || positionals.length > 1 || !Number.isSafeInteger(afterMs)) return misused();
  if (afterMs < 0 || afterMs > EVENT_LIMITS.afterMs) return misused();
  const run = runFromText(text);
  const report = execute(run, values.after === undefined ? {} : { afterMs });
  console.log(storyOfRun(run, report));
  return report.violation === null ? 0 : 1;
}

/** A kept run that breaks a law until something is built; `gapMs`: how long the chain may stand. */
interface WaitingRun {
  readonly run: string;
  readonly law: string;
  readonly waitsFor: string;
  readonly gapMs?: number;
}

/** Goes through the runs that wait for a part of the core. */
function waiting(args: string[]): number {
  if (args.length > 0) return misused();
  let held = 0;
  const runs: readonly WaitingRun[] = waitingRuns;
  for (const { run, law, waitsFor, gapMs } of runs) {
    const judge = new Timekeeper();
    const { violation } = execute(runFromText(run), { judge });
    const isLate = judge.longestGapMs > (gapMs ?? Infinity);
    if (violation === null && !isLate) held++;
    const gap = isLate ? `stands for ${Math.round(judge.longestGapMs)} ms, not ${gapMs}` : 'holds every law now';
    console.log(`${run}
  ${violation === null ? gap : `breaks ${violation.law}`}; ${law} waits for ${waitsFor}`);
  }
  console.log(`${waitingRuns.length - held} of ${waitingRuns.length} still break a law`);
  return held === 0 ? 0 : 1;
}

function compareWithBaseline(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { write: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (positionals.length > 0 && !values.write) return misused();
  const recorded = readRecorded(readFileSync(BASELINE_FILE, 'utf8'));
  const { now, broken, differing } = compareRuns(recorded, positionals, print);
  // What breaks a law is no baseline.
  const isWritten = values.write && broken === 0;
  if (isWritten) writeFileSync(BASELINE_FILE, recordedText(now));
  const outcome = `${now.length} runs: ${broken} break a law, ${differing} cost other than recorded`;
  print(isWritten ? `${outcome}; recorded anew` : outcome);
  return isWritten || broken + differing === 0 ? 0 : 1;
}

async function soak(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      kind: { type: 'string', default: '' },
      faults: { type: 'string', default: '' },
      spec: { type: 'boolean', default: false },
      shard: { type: 'string' },
      corpus: { type: 'string' },
      runs: { type: 'string' },
      merge: { type: 'string' },
    },
  });
  if (values.merge !== undefined) return args.length > 2 ? misused() : mergeShardFiles(values.merge, print);
  const minutes = Number(values.minutes ?? Infinity);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const space = spaceOf(values.kind, values.faults);
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || space === null) return misused();
  if (values.spec) return space.name === everything ? soakSpecification(minutes, seed) : misused();
  const { name, runs } = space;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const untilMs = performance.now() + minutes * 60_000;
  const { shard, corpus } = values;
  if (shard !== undefined || corpus !== undefined || values.runs !== undefined) {
    const total = Number(values.runs ?? Infinity);
    // All shards must be told the same seed, so there is none of its own.
    if (shard === undefined || corpus === undefined || values.seed === undefined || !(total > 0)) return misused();
    const code = await soakShard({
      shard,
      corpus,
      seed,
      set: name,
      runs,
      total,
      untilMs,
      stopping: stopping.signal,
      print,
    });
    return code === 0 && stopping.signal.aborted ? STOPPED : code;
  }
  const progress = new Soak(performance.now(), print, space.kinds);
  console.log(`soaking with seed ${seed}`);
  for (let round = 0; performance.now() < untilMs && !stopping.signal.aborted; round++) {
    const finding = soakOnce(runs, seed + round, progress, () => {
      // Shrinking leaves no turn in which a signal could be seen: it ends the process from now on.
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    });
    if (finding !== null) {
      progress.summary(performance.now());
      console.log(`seed ${seed + round}\n${storyOfFinding(finding)}`);
      return 1;
    }
    // A run takes no turn of the event loop either: signals are seen between two of them.
    await setImmediate();
  }
  progress.summary(performance.now());
  return stopping.signal.aborted ? STOPPED : 0;
}

/** A signal ends it as it ends any process: no run is made small that would be lost. */
async function soakSpecification(minutes: number, seed: number): Promise<number> {
  // The model checker is loaded for those who ask for it.
  const { soakSpec } = await import('./spec/soak.ts');
  return soakSpec({ minutes, seed, nowMs: () => performance.now(), print }) ? 0 : 1;
}

async function exploreRules(args: string[]): Promise<number> {
  const options = { large: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { exploreModels } = await import('./spec/exploring.ts');
  const print = (line: string): void => console.log(line);
  const order = { isLarge: values.large, only: positionals, nowMs: () => performance.now(), print };
  const isWell = exploreModels(order);
  return isWell === null ? misused() : isWell ? 0 : 1;
}

/** One random run, made small when it breaks a law; null when it breaks none. */
function soakOnce(runs: fc.Arbitrary<Run>, seed: number, progress: Soak, shrinksNow: () => void): Finding | null {
  let shrinksUntilMs = Infinity;
  return seek({
    runs,
    seed,
    isOver: () => performance.now() > shrinksUntilMs,
    done: (report, run) => {
      shrinksUntilMs = performance.now() + SHRINK_MS;
      progress.done(report, performance.now());
      if (report.violation === null) return;
      progress.found(report.violation.law, run);
      shrinksNow();
    },
    shrinks: (tried, { events }) => progress.shrinks(tried, events.length, performance.now()),
  });
}

function table(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { runs: { type: 'string', default: String(TABLE_RUNS) }, out: { type: 'string' } },
  });
  const runs = Number(values.runs);
  if (!Number.isSafeInteger(runs) || runs < 1 || values.out === '') return misused();
  // Fewer runs than the documentation speaks of are for whoever asked.
  const file = values.out === undefined ? (runs === TABLE_RUNS ? TABLE_FILE : null) : resolve(values.out);
  const complaint = file === null ? null : unwritable(file);
  if (complaint !== null) {
    console.error(complaint);
    return 2;
  }
  let printedMs = performance.now();
  const progressed = (line: string): void => {
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    console.error(line);
  };
  const made = makeTable({ runs, nowMs: () => performance.now(), progressed });
  if (typeof made === 'string') {
    console.log(made);
    return 1;
  }
  console.log(tableText(made));
  if (file === null) console.log(`\nnot kept: ${basename(TABLE_FILE)} is of ${TABLE_RUNS} runs; --out FILE keeps it`);
  else writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  return 0;
}

/** Why no file can be written there, before minutes are spent on what goes into it; null when nothing speaks against it. */
function unwritable(file: string): string | null {
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return `there is no folder ${folder}`;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? `${file} is a folder` : null;
}

function misused(): number {
  console.error(USAGE);
  return 2;
}

async function main([command, ...args]: readonly string[]): Promise<number> {
  try {
    if (command === '--help' || command === '-h' || args.includes('--help')) {
      console.log(USAGE);
      return 0;
    }
    if (command === 'replay') return replay(args);
    if (command === 'waiting') return waiting(args);
    if (command === 'baseline') return compareWithBaseline(args);
    if (command === 'soak') return await soak(args);
    if (command === 'table') return table(args);
    if (command === 'models') return await exploreRules(args);
    const host = { print, nowMs: () => performance.now() };
    const code = command === 'exhaustive' ? exhaustive(args, host) : null;
    return code ?? misused();
  } catch (error) {
    if (!isMisuse(error)) throw error;
    console.error(`${error.message}\n${USAGE}`);
    return 2;
  }
}

/** A string that is no run, or options that there are not. */
function isMisuse(error: unknown): error is Error {
  return (
    error instanceof RunTextError ||
    error instanceof ShardError ||
    (error instanceof TypeError && String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS'))
  );
}

process.exitCode = await main(process.argv.slice(2));
