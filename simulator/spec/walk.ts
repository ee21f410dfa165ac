/** Whole runs against raft.tla, until so many steps have been checked or one is refused. */
import fc from 'fast-check';
import { runToText, type Run } from '#simulator/run-value';
import { mapRecording } from './mapping.ts';
import { record } from './recorder.ts';
import { replay } from './replay.ts';
import { specRuns } from './runs.ts';

/** Steps of one run: long logs make steps slow, and many short walks meet more than a long one. */
const STEPS_PER_RUN = 500;
/** Facts of a run that make so many steps, for certain. */
const FACTS_PER_STEP = 20;

export interface WalkReport {
  readonly runs: number;
  readonly steps: number;
  /** How often each action of raft.tla was a step. */
  readonly actions: ReadonlyMap<string, number>;
  /** Why walks ended before their runs did, and how often. */
  readonly endedBy: ReadonlyMap<string, number>;
  /** The step that raft.tla does not allow, in words; null when it allows all. */
  readonly refusal: string | null;
}

/** One run; the same run gives the same steps. */
function walkRun(run: Run, stepsMax = STEPS_PER_RUN): WalkReport {
  const recording = record(run, stepsMax * FACTS_PER_STEP);
  const { steps, endedBy } = mapRecording(recording, stepsMax);
  const { allowed, refused } = replay(recording, steps);
  const actions = new Map<string, number>();
  for (const { action } of steps.slice(0, allowed)) count(actions, action.replace(/\(n\d.*/, '').replace('(', ' '));
  const refusal =
    refused === null
      ? null
      : [
          `raft.tla does not allow step ${allowed + 1} of ${runToText(run)}: ${refused.step.action} (${refused.why})`,
          ...steps.slice(Math.max(0, allowed - 12), allowed).map(({ action }) => `  after ${action}`),
        ].join('\n');
  return { runs: 1, steps: allowed, actions, endedBy: new Map(endedBy === null ? [] : [[endedBy, 1]]), refusal };
}

export interface WalkOptions {
  readonly firstSeed: number;
  readonly steps: number;
  /** Told after each run; the walk ends when it says so. */
  readonly isOver?: (report: WalkReport) => boolean;
}

/** Runs of the seeds from the first on. Ends early at the first refusal. */
export function walk({ firstSeed, steps, isOver = () => false }: WalkOptions): WalkReport {
  const actions = new Map<string, number>();
  const endedBy = new Map<string, number>();
  const report = { runs: 0, steps: 0, actions, endedBy, refusal: null as string | null };
  for (let seed = firstSeed; report.steps < steps && report.refusal === null; seed++) {
    const one = walkRun(runOf(seed));
    for (const [name, times] of one.actions) count(actions, name, times);
    for (const [why, times] of one.endedBy) count(endedBy, why, times);
    report.runs++;
    report.steps += one.steps;
    report.refusal = one.refusal;
    if (isOver(report)) break;
  }
  return report;
}

/** The run that a seed names. */
function runOf(seed: number): Run {
  return fc.sample(fc.noBias(specRuns), { seed, numRuns: 1 })[0]!;
}

function count(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
