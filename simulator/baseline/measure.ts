/** Carries out a run as recorded ones are, with its costs. */
import { Judge } from '../judge.ts';
import { execute, type RunReport } from '../run.ts';
import type { Run } from '../run-value.ts';
import { CostMeter, type Costs } from './meter.ts';

export interface MeasuredRun {
  readonly report: RunReport;
  readonly costs: Costs;
}

export function measure(run: Run): MeasuredRun {
  const meter = new CostMeter();
  const report = execute(run, { judge: new Judge(undefined, [meter.oracle]), mayEndAtRest: true });
  return { report, costs: meter.costs };
}
