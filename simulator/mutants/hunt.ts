/**
 * One hunt, in a process of its own: loads the core with one mutant in it, goes through random runs until a law is
 * broken or the budget is spent, shrinks the run, and prints what came of it as one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LawName } from '../oracles/laws.ts';
import type { RunReport } from '../run.ts';
import type { Run } from '../run-value.ts';
import type { HuntOrder, HuntResult } from './outcome.ts';
import { applyMutant, parseMutant, type Aim, type Mutant } from './patch.ts';
import { shrinkRun } from './shrink.ts';

const root = join(import.meta.dirname, '..', '..');

function load(mutant: Mutant): void {
  const files = new Set(mutant.hunks.map(({ file }) => file));
  for (const file of files) {
    const path = join(root, file);
    const contents = applyMutant(mutant, file, readFileSync(path, 'utf8'));
    Bun.plugin({
      name: mutant.id,
      setup: (build) => {
        const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
        build.onLoad({ filter: new RegExp(`^${escaped}$`) }, () => ({ contents, loader: 'ts' }));
      },
    });
  }
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Laws about the end of a run, which a scramble is not carried on to. */
const ENDING_LAWS: readonly string[] = [
  'chainGoesOn',
  'availability',
  'acknowledgedSurvives',
  'overrideStandsAlone',
  'leadershipIsKept',
  'allAreBack',
  'oneSequencerAtRest',
];
/** Time a scramble has to settle. */
const SCRAMBLE_SETTLE_MS = 3000;

/** The kinds of runs, in turn. */
const MIX: readonly Aim['runs'][] = ['scramble', 'storm', 'scramble', 'single'];

async function hunt(order: HuntOrder): Promise<HuntResult> {
  const mutant = order.path === null ? null : parseMutant(order.path, readFileSync(order.path, 'utf8'));
  if (mutant !== null) load(mutant);
  // Only now, with the mutant in place.
  const { execute } = await import('../run.ts');
  const { single, storm } = await import('../arbitrary.ts');
  const { scramble } = await import('../scramble.ts');
  const { aimed } = await import('./aimed.ts');
  const { Judge } = await import('../judge.ts');
  const { laws } = await import('../oracles/laws.ts');
  const { runToText } = await import('../run-value.ts');
  const { storyOfRun } = await import('../story.ts');
  const names = Object.keys(laws) as LawName[];
  const safetyNames = names.filter((name) => !ENDING_LAWS.includes(name));
  const all = { scramble, storm, single };
  const isWhole = (name: Aim['runs']): boolean => name !== 'scramble';
  const aim = mutant?.aim ?? null;
  const runsOf = (round: number): { readonly runs: fc.Arbitrary<Run>; readonly isWhole: boolean } => {
    if (aim !== null && round % 2 === 0) return { runs: aimed(all[aim.runs], aim.kinds), isWhole: isWhole(aim.runs) };
    const name = MIX[round % MIX.length]!;
    return { runs: all[name], isWhole: isWhole(name) };
  };
  const beganSeconds = cpuSeconds();
  const spent = (): number => cpuSeconds() - beganSeconds;
  const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
  let runs = 0;
  let virtualMs = 0;
  for (let round = 0; spent() < order.budgetSeconds; round++) {
    if (order.skip.includes(round)) continue;
    const { runs: arbitrary, isWhole: mustSettle } = runsOf(round);
    const judged = (run: Run): RunReport =>
      execute(run, mustSettle ? {} : { judge: new Judge(safetyNames), settleMs: SCRAMBLE_SETTLE_MS });
    const [run] = fc.sample(fc.noBias(arbitrary), { seed: order.seed + round, numRuns: 1 }) as [Run];
    const report = judged(run);
    runs++;
    virtualMs += report.virtualMs;
    const { violation } = report;
    if (violation === null) continue;
    const seconds = rounded(spent());
    const shrinkUntil = spent() + order.shrinkSeconds;
    const { law } = violation;
    const fails = (one: Run): boolean => judged(one).violation?.law === law;
    const shrunk = shrinkRun(run, fails, () => spent() < shrinkUntil);
    const told = execute(shrunk);
    return {
      kind: 'killed',
      law,
      message: (told.violation ?? violation).message.split('\n')[0]!.slice(0, 300),
      runs,
      seconds,
      virtualSeconds: Math.round(virtualMs / 1000),
      round,
      events: run.events.length,
      shrunkEvents: shrunk.events.length,
      found: runToText(run),
      shrunk: runToText(shrunk),
      story: storyOfRun(shrunk, told),
      laws: names.filter((name) => execute(shrunk, { judge: new Judge([name]) }).violation !== null),
    };
  }
  return { kind: 'survived', runs, seconds: rounded(spent()), virtualSeconds: Math.round(virtualMs / 1000) };
}

if (import.meta.main) console.log(JSON.stringify(await hunt(JSON.parse(process.argv[2]!) as HuntOrder)));
