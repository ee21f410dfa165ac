/**
 * One hunt, in a process of its own: loads the core with one mutant in it, goes through runs until a law is broken or the
 * budget is spent, shrinks the run, and prints what came of it as one line of JSON. A mutant without an aim meets the
 * recorded runs first, and random ones then: a recorded one that costs other than recorded counts where no law is broken.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RecordedRun } from '../../simulator/baseline/recorded.ts';
import type { LawName } from '../../simulator/oracles/laws.ts';
import type { RunReport } from '../../simulator/run.ts';
import type { Run } from '../../simulator/run-value.ts';
import { shrinkRun } from '../../simulator/shrink.ts';
import type { HuntOrder, HuntProgress, HuntResult } from './outcome.ts';
import { installMutant } from './install.ts';
import { loadMutants, patchesFolder } from '../load.ts';
import { parseMutant, type Aim, type Mutant } from '../mutant.ts';

type KindOfRuns = Aim['runs'];

interface RunOfRound {
  readonly run: Run;
  readonly kind: KindOfRuns;
}

/** The kinds of runs, in turn: all there are, those of the log and of hardship twice as often. */
const MIX: readonly KindOfRuns[] = [
  ...(['scramble', 'storm', 'hardship', 'disagreement'] as const),
  ...(['single', 'hardship', 'overridden', 'scramble'] as const),
];
/** Aims that follow each other are of mutants that have nothing to do with each other. */
const AIM_STRIDE = 7919;
/** Laws about the end of a run, which a scramble is not carried on to. */
const ENDING_LAWS: readonly string[] = [
  'chainGoesOn',
  'availability',
  'acknowledgedSurvives',
  'overrideStandsAlone',
  'leadershipIsKept',
  'leadershipIsHandedOver',
  'leadershipSettles',
  'takeoverIsQuick',
  'killedLeaderIsReplaced',
  'silentLeaderIsReplaced',
  'allAreBack',
  'allAreReady',
  'oneSequencerAtRest',
];
/** A smaller run may break the law so much later, milliseconds. */
const LATER_MS = 5000;
/** Time a scramble has to settle. */
const SCRAMBLE_SETTLE_MS = 3000;

const root = join(import.meta.dirname, '..', '..');
const parent = process.ppid;

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

/** The simulator, loaded now: with whatever mutant has been put in place. */
async function loadSimulator() {
  const { execute } = await import('../../simulator/run.ts');
  const { overridden, single, storm } = await import('../../simulator/arbitrary.ts');
  const { scramble } = await import('../../simulator/scramble.ts');
  const { disagreement } = await import('../../simulator/disagreement.ts');
  const { hardship } = await import('../../simulator/hardship.ts');
  const { aimed } = await import('./aimed.ts');
  const { Judge } = await import('../../simulator/judge.ts');
  const { laws } = await import('../../simulator/oracles/laws.ts');
  const { runFromText, runToText } = await import('../../simulator/run-value.ts');
  const { storyOfRun } = await import('../../simulator/story.ts');
  const { readRecorded } = await import('../../simulator/baseline/recorded.ts');
  const { measure } = await import('../../simulator/baseline/measure.ts');
  const { differences, differenceText } = await import('../../simulator/baseline/differences.ts');
  const names = Object.keys(laws) as LawName[];
  const safetyNames = names.filter((name) => !ENDING_LAWS.includes(name));
  const all: Readonly<Record<KindOfRuns, fc.Arbitrary<Run>>> = {
    scramble,
    storm,
    single,
    overridden,
    disagreement,
    hardship,
  };

  /** Does not let the first broken law end a run. */
  class Jury extends Judge {
    readonly broke = new Set<LawName>();
    override broken(law: LawName): void {
      this.broke.add(law);
    }
  }

  return {
    runToText,
    storyOfRun,
    execute: (run: Run): RunReport => execute(run),
    /** As its kind of run is judged. */
    judged: (run: Run, kind: KindOfRuns, untilMs = Infinity): RunReport =>
      execute(run, {
        untilMs,
        mayEndAtRest: true,
        ...(kind === 'scramble' ? { judge: new Judge(safetyNames), settleMs: SCRAMBLE_SETTLE_MS } : {}),
      }),
    recorded: () => readRecorded(readFileSync(join(root, 'simulator', 'baseline', 'recorded.txt'), 'utf8')),
    whole: ({ run }: RecordedRun): RunOfRound => ({ run: runFromText(run), kind: 'storm' }),
    /** A recorded run again, and where it costs other than recorded, as sentences. */
    compared: (
      known: RecordedRun,
      run: Run,
    ): { readonly report: RunReport; readonly differences: readonly string[] } => {
      const { report, costs } = measure(run);
      // No mutant has a metric, or a question to a node, on purpose: all count.
      const counted = new Set([...known.costs.keys(), ...costs.keys()]);
      return { report, differences: differences(known.costs, costs, counted).map(differenceText) };
    },
    /** Every law that the whole run breaks. */
    lawsBrokenBy: (run: Run): LawName[] => {
      const jury = new Jury();
      execute(run, { judge: jury });
      return names.filter((name) => jury.broke.has(name));
    },
    /**
     * The random run of a round: every second one goes by the mutant's aim, where it has one, and else by one of other
     * mutants, which are what once brought something to light.
     */
    runOf: (round: number, seed: number, aims: readonly Aim[]): RunOfRound => {
      const aim = round % 2 === 0 ? aims[(AIM_STRIDE * (round / 2)) % aims.length] : undefined;
      const kind = aim?.runs ?? MIX[(round >> 1) % MIX.length]!;
      const runs = aim === undefined ? all[kind] : aimed(all[kind], aim.kinds, aim.settings);
      // Without bias: a sample of one would be a small one, of faults that are over within milliseconds.
      const [run] = fc.sample(fc.noBias(runs), { seed: seed + round, numRuns: 1 }) as [Run];
      return { run, kind };
    },
  };
}

/** Before each run: says which it is, so that one that never ends is known; ends with whoever wants the result. */
function begins(progress: HuntProgress): void {
  if (process.ppid !== parent) process.exit(1);
  process.stderr.write(`${JSON.stringify(progress)}\n`);
}

/** Where to look for a mutant: as it says itself, or else wherever another one was found. */
function aimsOf(mutant: Mutant | null): readonly Aim[] {
  if (mutant?.aim != null) return [mutant.aim];
  const texts = loadMutants(patchesFolder).flatMap(({ id, aim }) =>
    aim === null || id === mutant?.id ? [] : [JSON.stringify(aim)],
  );
  return [...new Set(texts)].map((text) => JSON.parse(text) as Aim);
}

type Progress = Pick<
  Extract<HuntResult, { kind: 'killed' }>,
  'runs' | 'seconds' | 'virtualSeconds' | 'round' | 'events'
>;

/** A recorded run is told as it is: a smaller one has no costs to compare with. */
function killedByBaseline(run: string, differences: readonly string[], sofar: Progress): HuntResult {
  const message = differences.slice(0, 3).join('; ');
  const told = { found: run, shrunk: run, story: [run, ...differences].join('\n'), laws: [] };
  return { kind: 'killed', law: 'baseline', message, ...sofar, shrunkEvents: sofar.events, ...told };
}

async function hunt(order: HuntOrder): Promise<HuntResult> {
  const mutant = order.path === null ? null : parseMutant(order.path, readFileSync(order.path, 'utf8'));
  const aims = aimsOf(mutant);
  if (mutant !== null) installMutant(mutant);
  const simulator = await loadSimulator();
  const beganSeconds = cpuSeconds();
  const spent = (): number => cpuSeconds() - beganSeconds;
  const recorded = mutant?.aim == null ? simulator.recorded() : [];
  let runs = 0;
  let virtualMs = 0;
  let differing: HuntResult | null = null;
  for (let round = 0; spent() < order.budgetSeconds; round++) {
    if (order.skip.includes(round)) continue;
    const known = recorded[round];
    const { run, kind } =
      known === undefined ? simulator.runOf(round - recorded.length, order.seed, aims) : simulator.whole(known);
    runs++;
    begins({ runs, round, run: simulator.runToText(run) });
    const { report, differences } =
      known === undefined ? { report: simulator.judged(run, kind), differences: [] } : simulator.compared(known, run);
    virtualMs += report.virtualMs;
    const { violation } = report;
    const sofar = {
      runs,
      seconds: rounded(spent()),
      virtualSeconds: Math.round(virtualMs / 1000),
      round,
      events: run.events.length,
    };
    if (violation === null) {
      if (differences.length > 0) differing ??= killedByBaseline(simulator.runToText(run), differences, sofar);
      continue;
    }
    const untilSeconds = spent() + order.shrinkSeconds;
    let lawMs = violation.atMs;
    const fails = (one: Run): boolean => {
      begins({ runs, round, run: simulator.runToText(one) });
      const again = simulator.judged(one, kind, lawMs + LATER_MS).violation;
      if (again?.law !== violation.law) return false;
      lawMs = Math.min(lawMs, again.atMs);
      return true;
    };
    const shrunk = shrinkRun(run, fails, () => spent() < untilSeconds);
    const told = simulator.execute(shrunk);
    const { law, message } = told.violation ?? violation;
    return {
      kind: 'killed',
      law,
      message: message.split('\n')[0]!.slice(0, 300),
      ...sofar,
      shrunkEvents: shrunk.events.length,
      found: simulator.runToText(run),
      shrunk: simulator.runToText(shrunk),
      // Stack traces name files from the repository's root.
      story: simulator.storyOfRun(shrunk, told).replaceAll(`${root}/`, ''),
      laws: simulator.lawsBrokenBy(shrunk),
    };
  }
  if (differing !== null) return differing;
  return { kind: 'survived', runs, seconds: rounded(spent()), virtualSeconds: Math.round(virtualMs / 1000) };
}

if (import.meta.main) console.log(JSON.stringify(await hunt(JSON.parse(process.argv[2]!) as HuntOrder)));
