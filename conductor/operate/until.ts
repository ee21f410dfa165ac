/** Looking again and again within one step, where the runner does not: bounded by the clock, since a look may take seconds itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';

/** Between two looks, milliseconds. */
const LOOK_EVERY_MS = 100;

/** Resolves once `isSo`. Rejects with `complaint` and the time when it is not within `waitMsMax`, and with what a look throws. */
export async function until(isSo: () => Promise<boolean>, waitMsMax: number, complaint: string): Promise<void> {
  const deadlineMs = monotonicMs() + waitMsMax;
  while (!(await isSo())) {
    if (monotonicMs() >= deadlineMs) throw new Error(`${complaint} within ${waitMsMax / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}
