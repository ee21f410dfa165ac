/**
 * Carries out a run: form the cluster, let the events happen, let the last fault end, wait until things have
 * settled, and judge. A pure function of the run, on every engine.
 */
import { isAtRest } from './at-rest.ts';
import { Execution } from './execution.ts';
import { Judge, type Violation } from './judge.ts';
import { repairedMs } from './oracles/disagreement-bounds.ts';
import { RepairOperator } from './repair-operator.ts';
import type { Run } from './run-value.ts';

/** Time the chain has, after the last fault is over, to go on. */
const SETTLE_MS = 30_000;
/** After so long, times the seconds between blocks, most runs of a search end where all is as it should be; one of so many goes on all the same. */
const AT_REST_MS = 8000;
const WATCHED_ON_ONE_OF = 5;
/** An operator who repairs one client after the other is given so much more time, each time as long as one takes. */
const REPAIRS_MAX = 6;

export interface RunReport {
  /** null when every law held. */
  readonly violation: Violation | null;
  /** 16 hex digits; equal for equal runs. */
  readonly hash: string;
  readonly virtualMs: number;
  /** Events handled by conductors. */
  readonly handled: number;
  readonly published: number;
  readonly judge: Judge;
}

export interface ExecuteOptions {
  /** Knows all laws unless it is given. */
  readonly judge?: Judge;
  /** Less than the usual time to settle is for judges that do not look at what happens then. */
  readonly settleMs?: number;
  /** Most runs end as soon as all is as it should be: for searches, where the next run shows more. */
  readonly mayEndAtRest?: boolean;
  /** Ends so long after the last event, whatever is under way then: the moment that a page's address names. */
  readonly afterMs?: number;
  /** Ends at this moment of the world's time at the latest, and then tells no law of the end: what is looked for comes before. */
  readonly untilMs?: number;
}

/** Runs to the end, or to the first law that is broken. */
export function execute(run: Run, options: ExecuteOptions = {}): RunReport {
  const { judge = new Judge(), afterMs, untilMs = Infinity } = options;
  // Answers that are to be lost are so with the next blocks, which nobody else is told of: that is no rest yet.
  const isToLoseAnswers = run.events.some(({ kind }) => kind === 'lostAnswer');
  const isOneOfSome = run.configuration.seed % WATCHED_ON_ONE_OF === 0;
  const isWatchedOn = options.mayEndAtRest !== true || isOneOfSome || isToLoseAnswers;
  let settleMs = options.settleMs ?? SETTLE_MS;
  const execution = new Execution(run.configuration, judge);
  const { world } = execution;
  const operator = world === null ? null : new RepairOperator(world);
  if (world !== null) world.operator = operator;
  for (const event of run.events) {
    if (execution.fromMs + event.afterMs > untilMs) break;
    execution.apply(event);
  }
  const restMs = Math.max(execution.calmFromMs - execution.nowMs, 0);
  const endMs = execution.fromMs + (afterMs ?? restMs + settleMs);
  if (endMs > untilMs) execution.advanceTo(Math.max(0, untilMs - execution.fromMs));
  else if (afterMs === undefined) {
    execution.advanceTo(restMs);
    const atRestMs = AT_REST_MS * run.configuration.blockSeconds;
    if (!isWatchedOn && settleMs > atRestMs) {
      execution.advanceTo(restMs + atRestMs);
      if (world !== null && isAtRest(world)) settleMs = atRestMs;
    }
    execution.advanceTo(restMs + settleMs);
    // What an operator is at is not the end yet, nor what a restart leads to.
    for (let more = 1; more <= REPAIRS_MAX; more++)
      if (operator?.isBusy === true) execution.advanceTo(restMs + settleMs + more * repairedMs(run.configuration));
    execution.finish();
  } else execution.advanceTo(afterMs);
  return {
    violation: judge.violation,
    hash: judge.hash,
    virtualMs: execution.nowMs,
    handled: judge.handledCount,
    published: judge.publishedCount,
    judge,
  };
}
