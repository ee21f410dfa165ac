/**
 * What a run of checks came to: how many passed and failed, and which were skipped for what reason.
 * The Vitest reporter writes one as JSON, the test runner adds them up and prints the result.
 */

export interface SkippedTest {
  /** File and full name of the test. */
  readonly name: string;
  readonly reason: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly SkippedTest[];
}

export const NO_REASON = 'no reason given; say why with ctx.skip(reason)';

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    skipped: tallies.flatMap((tally) => tally.skipped),
  };
}

/** The end of every test run: one line per skipped test, then the count as the very last line. */
export function describeTally(tally: Tally): string {
  const skips = tally.skipped.map((test) => `skipped: ${test.name}: ${test.reason}`);
  return [...skips, `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`].join('\n');
}

/** Reads what the reporter wrote; null when the text is not a tally, as after a crash in mid-write. */
export function parseTally(text: string): Tally | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { passed, failed, skipped } = value as Partial<Record<keyof Tally, unknown>>;
  if (typeof passed !== 'number' || typeof failed !== 'number' || !Array.isArray(skipped)) return null;
  return { passed, failed, skipped };
}
