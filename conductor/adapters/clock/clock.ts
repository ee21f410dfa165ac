/**
 * Time and chance for the core: monotonic milliseconds, the wall clock, crypto-grade random numbers.
 * The monotonic clock (CLOCK_MONOTONIC on Linux) never steps, but stands still while the machine is
 * suspended: the core compares it with the wall clock, and a leader that thaws asks a quorum before it
 * permits anything (rule 34). Reads and commits go through a quorum in any case (rule 14).
 */
import type { Random, WallClock } from '#conductor/core/ports';

/** Milliseconds since an arbitrary start of this process, with fractions; never goes back. */
export function monotonicMs(): number {
  return performance.now();
}

/** Two readings of one clock that lie further apart enclose no moment, milliseconds; so often it is tried. */
const momentMs = 5;
const momentTries = 5;

/** The machine's wall clock. */
export const wallClock: WallClock = { unixMs: () => Date.now(), aheadMs };

/** A process that the system stops between two readings would see a jump that never was: then they are read again. */
function aheadMs(): number {
  let ahead = 0;
  for (let tried = 0; tried < momentTries; tried++) {
    const beforeMs = monotonicMs();
    ahead = Date.now() - beforeMs;
    if (monotonicMs() - beforeMs <= momentMs) break;
  }
  return ahead;
}

/** Words drawn from the system per refill: a refill costs about a microsecond. */
const poolWords = 256;
const wordRange = 2 ** 32;

/** Uniform numbers from the system's cryptographic generator, 32 bits each. */
export function createRandom(): Random {
  const pool = new Uint32Array(poolWords);
  let used = poolWords;
  return {
    next() {
      if (used === poolWords) {
        crypto.getRandomValues(pool);
        used = 0;
      }
      return (pool[used++] ?? 0) / wordRange;
    },
  };
}
