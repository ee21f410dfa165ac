/** Runs in which each fault is over, and its traces gone, before the next one begins. */
import type { Run } from '../run-value.ts';

/** Time between the end of one fault and the beginning of the next. */
export const APART_MS = 12_000;

/** Whether it is such a run. */
export function isOneAtATime({ events }: Run): boolean {
  return events.every(({ afterMs }, at) => {
    const before = events[at - 1];
    return before === undefined || afterMs >= before.forMs + APART_MS;
  });
}
