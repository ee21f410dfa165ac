/** Runs in which each fault is over, and its traces gone, before the next one begins. */
import type { Run } from '../run-value.ts';

/** Time between the end of one fault and the beginning of the next. */
export const APART_MS = 12_000;

/** Voters of which one can be missed. */
const VOTERS_MIN = 3;

/** Whether it is such a run, of a cluster that bears a fault. */
export function isOneAtATime({ events, configuration: { servers, nonvoters } }: Run): boolean {
  if (servers - nonvoters < VOTERS_MIN) return false;
  return events.every(({ afterMs }, at) => {
    const before = events[at - 1];
    return before === undefined || afterMs >= before.forMs + APART_MS;
  });
}
