/** Thins the reports of a copy that goes on: long imports and exports say now and then how far they are. */
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { CopyProgress } from './go-directory.ts';

const progressEveryMs = 2000;

/** Passes on one report of progress every two seconds. */
export function progressLines(print: (progress: CopyProgress) => void): (progress: CopyProgress) => void {
  let nextMs = monotonicMs() + progressEveryMs;
  return (progress) => {
    if (monotonicMs() < nextMs) return;
    nextMs = monotonicMs() + progressEveryMs;
    print(progress);
  };
}
