/**
 * Carries out a run: form the cluster, let the events happen, let the last fault end, wait until things have
 * settled, and judge. A pure function of the run, on every engine.
 */
import { StandstillError } from './event-queue.ts';
import { kinds } from './faults.ts';
import { Judge, type Violation } from './judge.ts';
import type { Run } from './run-value.ts';
import { FormingError, World } from './world.ts';

/** Time the chain has, after the last fault is over, to go on. */
const SETTLE_MS = 30_000;

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
}

/** Runs to the end, or to the first law that is broken. */
export function execute(run: Run, { judge = new Judge(), settleMs = SETTLE_MS }: ExecuteOptions = {}): RunReport {
  let world: World | null = null;
  try {
    world = World.form(run.configuration, judge, (formed) => judge.watch(formed));
    let calmFromMs = world.nowMs;
    for (const event of run.events) {
      world.run(event.afterMs);
      if (judge.violation !== null) break;
      judge.happened(event);
      const undo = kinds[event.kind].act(world, event);
      if (typeof undo === 'function') world.queue.after(event.forMs, undo);
      calmFromMs = Math.max(calmFromMs, world.nowMs + event.forMs);
    }
    const restMs = Math.max(calmFromMs - world.nowMs, 0);
    if (judge.violation === null) world.run(restMs);
    if (judge.violation === null) world.run(settleMs);
    if (judge.violation === null) judge.finish({ world, run, calmFromMs });
  } catch (error) {
    if (error instanceof FormingError) judge.broken('chainGoesOn', error.message);
    else if (error instanceof StandstillError) judge.broken('boundedResources', error.message);
    else throw error;
  }
  return {
    violation: judge.violation,
    hash: judge.hash,
    virtualMs: world?.nowMs ?? 0,
    handled: judge.handledCount,
    published: judge.publishedCount,
    judge,
  };
}
