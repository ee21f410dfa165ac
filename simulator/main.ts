/**
 * `npm run sim -- <command>`: replay one run and tell its story, or soak: go through random runs until told to
 * stop or until a law is broken, then shrink.
 */
import fc from 'fast-check';
import { single, storm } from './arbitrary.ts';
import { execute } from './run.ts';
import { runFromText, RunTextError } from './run-value.ts';
import { seek } from './seek.ts';
import { Soak } from './soak.ts';
import { storyOfFinding, storyOfRun } from './story.ts';

const USAGE = `usage: npm run sim -- replay <run>          tell the story of a run; exit 1 if a law is broken
       npm run sim -- soak [--minutes N] [--seed N] [--kind storm|single]
                                            random runs until a law is broken, then shrink; exit 1 then`;

/** How long shrinking may take. */
const SHRINK_MS = 120_000;

function replay(text: string): number {
  const run = runFromText(text);
  const report = execute(run);
  console.log(storyOfRun(run, report));
  return report.violation === null ? 0 : 1;
}

function soak(args: readonly string[]): number {
  const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1];
  const has = (name: string): boolean => args.includes(`--${name}`);
  const minutes = has('minutes') ? Number(option('minutes')) : Infinity;
  const seed = has('seed') ? Number(option('seed')) : Date.now() % 2 ** 31;
  const kind = has('kind') ? option('kind') : 'both';
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || !['both', 'storm', 'single'].includes(String(kind))) {
    console.error(USAGE);
    return 2;
  }
  const runs = kind === 'storm' ? storm : kind === 'single' ? single : fc.oneof(storm, single);
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
  } catch (error) {
    if (!(error instanceof RunTextError)) throw error;
    console.error(error.message);
    return 2;
  }
  console.error(USAGE);
  return 2;
}

process.exitCode = main(process.argv.slice(2));
