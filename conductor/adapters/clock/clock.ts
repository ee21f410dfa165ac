/**
 * Time and chance for the core: monotonic milliseconds, the wall clock, crypto-grade random numbers.
 * The monotonic clock (CLOCK_MONOTONIC on Linux) never steps, but stands still while the machine is
 * suspended: a frozen leader may thaw and believe its lease. That is safe, because a lease only ever
 * makes a leader step down (rule 14) and every read and commit goes through a quorum.
 */
import type { Random, WallClock } from '#conductor/core/ports';

/** Milliseconds since an arbitrary start of this process, with fractions; never goes back. */
export function monotonicMs(): number {
  return performance.now();
}

/** The machine's wall clock. */
export const wallClock: WallClock = { unixMs: () => Date.now() };

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
