/** `soak --spec`: random runs against raft.tla, until the time is over or a step is not allowed. */
import { walk, type WalkReport } from './walk.ts';

/** Between two lines of progress, milliseconds. */
const PROGRESS_MS = 10_000;

export interface SpecSoakOptions {
  readonly minutes: number;
  readonly seed: number;
  nowMs(): number;
  print(line: string): void;
}

/** Whether every step was allowed. */
export function soakSpec({ minutes, seed, nowMs, print }: SpecSoakOptions): boolean {
  const beganMs = nowMs();
  let printedMs = beganMs;
  print(`walking through raft.tla with seed ${seed}`);
  const isOver = (report: WalkReport): boolean => {
    if (nowMs() - printedMs >= PROGRESS_MS) {
      printedMs = nowMs();
      print(summaryOf(report));
    }
    return nowMs() - beganMs >= minutes * 60_000;
  };
  const report = walk({ firstSeed: seed, steps: Infinity, isOver });
  print(summaryOf(report));
  for (const [action, times] of [...report.actions].toSorted()) print(`  ${action}: ${times}`);
  for (const [why, times] of report.endedBy) print(`  ended by ${why}: ${times}`);
  if (report.refusal !== null) print(report.refusal);
  return report.refusal === null;
}

function summaryOf({ runs, steps }: WalkReport): string {
  return `${runs} runs, ${steps} steps that raft.tla allows`;
}
