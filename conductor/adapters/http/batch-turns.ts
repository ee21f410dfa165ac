/** The turns of long batches: one of all batches of a server runs at a time, and everything else in between. */

/** Longest time for items of batches in a row, milliseconds; then everything else has its turn. */
const batchSliceMs = 10;

/** Makes what is asked after each item of a batch: null to go on, or a promise of the next turn. */
export function batchTurns(): () => Promise<void> | null {
  const waiting: (() => void)[] = [];
  let began = performance.now();
  const next = (): void => {
    began = performance.now();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () => {
    if (waiting.length === 0 && performance.now() - began < batchSliceMs) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
    return promise;
  };
}
