/**
 * `npm run sim -- <command>`: replay one run and tell its story; soak: go through random runs until told to stop or
 * until a law is broken, then shrink; or exhaustive: every order of what can happen to the raft core, within bounds.
 */
import fc from 'fast-check';
import { overridden, single, storm } from './arbitrary.ts';
import { exhaustive, EXHAUSTIVE_USAGE } from './exhaustive/command.ts';
import { execute } from './run.ts';
import { runFromText, RunTextError, type Run } from './run-value.ts';
import { scramble } from './scramble.ts';
import { seek } from './seek.ts';
import { Soak } from './soak.ts';
import { storyOfFinding, storyOfRun } from './story.ts';

/** What kinds of runs there are. */
const runKinds: Readonly<Record<string, fc.Arbitrary<Run>>> = { storm, single, overridden, scramble };

const USAGE = `usage: npm run sim -- replay <run>          tell the story of a run; exit 1 if a law is broken
       npm run sim -- soak [--minutes N] [--seed N] [--kind <kind>]
                                            random runs until a law is broken, then shrink; exit 1 then;
                                            kinds: ${Object.keys(runKinds).join(', ')}, all
${EXHAUSTIVE_USAGE}`;

/** How long shrinking may take. */
const SHRINK_MS = 120_000;

function replay(text: string): number {
  const run = runFromText(text);
  const report = execute(run);
  console.log(storyOfRun(run, report));
  return report.violation === null ? 0 : 1;
}

function soak(args: readonly string[]): number {
  const has = (name: string): boolean => args.includes(`--${name}`);
  const option = (name: string): string | undefined => (has(name) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const minutes = has('minutes') ? Number(option('minutes')) : Infinity;
  const seed = has('seed') ? Number(option('seed')) : Date.now() % 2 ** 31;
  const kind = option('kind') ?? 'all';
  const runs = kind === 'all' ? fc.oneof(...Object.values(runKinds)) : runKinds[kind];
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || runs === undefined) {
    console.error(USAGE);
    return 2;
  }
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
      },
    });
    if (finding === null) continue;
    progress.summary(performance.now());
    console.log(`seed ${seed + round}\n${storyOfFinding(finding)}`);
    return 1;
  }
  progress.summary(performance.now());
  return 0;
}

function main([command, ...args]: readonly string[]): number {
  try {
    if (command === 'replay' && args[0] !== undefined) return replay(args[0]);
    if (command === 'soak') return soak(args);
    const host = { print: (line: string) => console.log(line), nowMs: () => performance.now() };
    const code = command === 'exhaustive' ? exhaustive(args, host) : null;
    if (code !== null) return code;
  } catch (error) {
    if (!(error instanceof RunTextError)) throw error;
    console.error(error.message);
    return 2;
  }
  console.error(USAGE);
  return 2;
}

process.exitCode = main(process.argv.slice(2));
