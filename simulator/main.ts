/**
 * `npm run sim -- <command>`: replay one run and tell its story; soak: go through random runs until told to stop or
 * until a law is broken, then shrink; or exhaustive: every order of what can happen to the raft core, within bounds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { exhaustive, EXHAUSTIVE_USAGE } from './exhaustive/command.ts';
import { execute } from './run.ts';
import { runKinds, type RunKind } from './run-kinds.ts';
import { EVENT_LIMITS, runFromText, RunTextError } from './run-value.ts';
import { seek } from './seek.ts';
import { PROGRESS_MS, Soak } from './soak.ts';
import { storyOfFinding, storyOfRun } from './story.ts';
import { makeTable, tableText } from './table.ts';

const USAGE = `usage: npm run sim -- replay <run> [--after MS]
                                            tell the story of a run, or until so long after its last event;
                                            exit 1 if a law is broken
       npm run sim -- soak [--minutes N] [--seed N] [--kind <kind>]
                                            random runs until a law is broken, then shrink; exit 1 then;
                                            kinds: ${Object.keys(runKinds).join(', ')}, all
       npm run sim -- table [--runs N]      law × runs × events from fixed seeds, into content/data/simulation.json
${EXHAUSTIVE_USAGE}`;

/** Runs of each kind for the table, unless it is told. */
const TABLE_RUNS = 1000;
/** How long shrinking may take. */
const SHRINK_MS = 120_000;

const allKinds = Object.keys(runKinds) as RunKind[];

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

function soak(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, kind: { type: 'string', default: 'all' } },
  });
  const minutes = Number(values.minutes ?? Infinity);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const kinds = values.kind === 'all' ? allKinds : allKinds.filter((kind) => kind === values.kind);
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || kinds.length === 0) return misused();
  const runs = fc.oneof(...kinds.map((kind) => runKinds[kind]));
  const progress = new Soak(performance.now(), (line) => console.log(line));
  console.log(`soaking with seed ${seed}`);
  const untilMs = performance.now() + minutes * 60_000;
  for (let round = 0; performance.now() < untilMs; round++) {
    let shrinksUntilMs = Infinity;
    const finding = seek({
      runs,
      seed: seed + round,
      isOver: () => performance.now() > shrinksUntilMs,
      done: (report) => {
        shrinksUntilMs = performance.now() + SHRINK_MS;
        progress.done(report, performance.now());
        if (report.violation !== null) progress.found(report.violation.law);
      },
      shrinks: (tried, { events }) => progress.shrinks(tried, events.length, performance.now()),
    });
    if (finding === null) continue;
    progress.summary(performance.now());
    console.log(`seed ${seed + round}\n${storyOfFinding(finding)}`);
    return 1;
  }
  progress.summary(performance.now());
  return 0;
}

function table(args: string[]): number {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: String(TABLE_RUNS) } } });
  const runs = Number(values.runs);
  if (!Number.isSafeInteger(runs) || runs < 1) return misused();
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
  const folder = join(import.meta.dirname, '..', 'content', 'data');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'simulation.json'), `${JSON.stringify(made, null, 2)}\n`);
  console.log(tableText(made));
  return 0;
}

function misused(): number {
  console.error(USAGE);
  return 2;
}

function main([command, ...args]: readonly string[]): number {
  try {
    if (command === '--help' || command === '-h' || args.includes('--help')) {
      console.log(USAGE);
      return 0;
    }
    if (command === 'replay') return replay(args);
    if (command === 'soak') return soak(args);
    if (command === 'table') return table(args);
    const host = { print: (line: string) => console.log(line), nowMs: () => performance.now() };
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
    (error instanceof TypeError && String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS'))
  );
}

process.exitCode = main(process.argv.slice(2));
