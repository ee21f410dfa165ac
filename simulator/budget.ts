/**
 * The fixed budget of runs that every `npm test` spends on one kind of run: always the same ones, because they
 * come from seeds. A run counts when it is long enough to say something and something serious happened in it.
 */
import type fc from 'fast-check';
import { kinds } from './faults.ts';
import type { RunReport } from './run.ts';
import type { Run } from './run-value.ts';
import { seek } from './seek.ts';
import { storyOfFinding } from './story.ts';

/** A run counts from this much virtual time and so many published blocks on. */
const COUNTED_MS_MIN = 60_000;
const COUNTED_BLOCKS_MIN = 10;
/** Time that shrinking a failure may take. */
const SHRINK_MS = 60_000;
/** Runs that may be needed for each that counts. */
const RUNS_PER_COUNTED_MAX = 2;

/** How long a test may take that spends a budget of so many runs, milliseconds: ten minutes, and more for the long rounds on a busy machine. */
export function budgetTimeoutMs(count: number): number {
  return Math.max(600_000, count * 1500);
}

export interface BudgetReport {
  readonly counted: number;
  readonly virtualMs: number;
  readonly published: number;
  readonly handled: number;
  readonly sometimes: ReadonlyMap<string, number>;
  /** The story of the first run that broke a law; null when none did. */
  readonly failure: string | null;
}

export interface BudgetOptions {
  readonly runs: fc.Arbitrary<Run>;
  readonly firstSeed: number;
  /** Runs that have to count. */
  readonly count: number;
  /** A clock of the caller's, for the bound on shrinking alone. */
  nowMs(): number;
  /** Carries out a run; the simulator's own way unless it is given. */
  readonly carryOut?: (run: Run) => RunReport;
  /** Told of every run. */
  readonly done?: (report: RunReport) => void;
}

/** Ends early at the first run that breaks a law. */
export function spendBudget({ runs, firstSeed, count, nowMs, carryOut, done }: BudgetOptions): BudgetReport {
  let counted = 0;
  let virtualMs = 0;
  let published = 0;
  let handled = 0;
  const sometimes = new Map<string, number>();
  let failure: string | null = null;
  for (let round = 0; round < count * RUNS_PER_COUNTED_MAX; round++) {
    if (counted >= count || failure !== null) break;
    const beganMs = nowMs();
    const finding = seek({
      runs,
      ...(carryOut === undefined ? {} : { carryOut }),
      seed: firstSeed + round,
      isOver: () => nowMs() > beganMs + SHRINK_MS,
      done: (report, run) => {
        if (isCounted(report, run)) counted++;
        done?.(report);
        virtualMs += report.virtualMs;
        published += report.published;
        handled += report.handled;
        for (const [name, times] of report.judge.sometimes) sometimes.set(name, (sometimes.get(name) ?? 0) + times);
      },
    });
    if (finding !== null) failure = storyOfFinding(finding);
  }
  return { counted, virtualMs, published, handled, sometimes, failure };
}

function isCounted({ virtualMs, published }: RunReport, { events }: Run): boolean {
  const isSerious = events.some(({ kind }) => kinds[kind].reach !== 'none');
  return isSerious && virtualMs >= COUNTED_MS_MIN && published >= COUNTED_BLOCKS_MIN;
}
