/**
 * Waiting in tests: for a condition, with a deadline, and with the last thing seen in the error.
 */

const POLL_MS = 10;

/** What is waited for cannot come any more: `waitFor` gives up at once. */
export class HopelessError extends Error {
  readonly code = 'HOPELESS';
}

/** A pause between two attempts of a retry loop; never the thing a test relies on. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Polls until `probe` returns something other than null; throws a HopelessError of `probe` at once, and after `timeoutMs` with what `probe` last threw, if it did. */
export async function waitFor<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | null> | T | null,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown = null;
  for (;;) {
    try {
      const value = await probe();
      if (value !== null) return value;
      last = null;
    } catch (error) {
      if (error instanceof HopelessError) throw error;
      last = error;
    }
    if (performance.now() > deadline) {
      const seen = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}${seen}`, { cause: last });
    }
    await pause(POLL_MS);
  }
}
