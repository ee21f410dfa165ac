/**
 * For how long a thread stood ready to run while the machine gave its processors to others: what a measurement on a machine
 * that does much else takes off, because no code can help it. Linux keeps it; elsewhere it is 0.
 */
import { readFileSync } from 'node:fs';

/** Milliseconds so far of the main thread of a process. */
export function processorWaitMs(pid: number): number {
  return waitedMs(`/proc/${pid}/task/${pid}/schedstat`);
}

/** Milliseconds so far of the thread that asks. */
export function ownProcessorWaitMs(): number {
  return waitedMs('/proc/thread-self/schedstat');
}

/** The second number is nanoseconds of waiting, after those of running. */
function waitedMs(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}
