/**
 * What a run of checks came to: how many passed and failed, which were skipped for what reason, and which passed
 * only when they were tried again. The Vitest reporter writes one as JSON, the test runner adds them up and prints
 * the result.
 */

export interface SkippedTest {
  /** File and full name of the test. */
  readonly name: string;
  readonly reason: string;
}

/** A test file that did not pass, with what its tests came to. */
export interface FailedFile {
  /** From the repository's root. */
  readonly file: string;
  /** What the file counts for in the tally of its run. */
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly SkippedTest[];
  /** The first failure: the test's name and the first line of its message. */
  readonly message: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly SkippedTest[];
  readonly failedFiles: readonly FailedFile[];
  /** Files that failed once and passed when they were run again, alone. */
  readonly flaky: readonly FailedFile[];
}

export const NO_REASON = 'no reason given; say why with ctx.skip(reason)';

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    skipped: tallies.flatMap((tally) => tally.skipped),
    failedFiles: tallies.flatMap((tally) => tally.failedFiles),
    flaky: tallies.flatMap((tally) => tally.flaky),
  };
}

/**
 * The end of every test run: one line per skipped test, one per file that passed only at the second try, then the
 * count as the very last line.
 */
export function describeTally(tally: Tally): string {
  const skips = tally.skipped.map((test) => `skipped: ${test.name}: ${test.reason}`);
  const flaky = tally.flaky.map(({ file, message }) => `passed only at the second try: ${file}: ${message}`);
  const count = `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`;
  return [...skips, ...flaky, count].join('\n');
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
  const { passed, failed, skipped, failedFiles, flaky } = value as Partial<Record<keyof Tally, unknown>>;
  if (typeof passed !== 'number' || typeof failed !== 'number' || !Array.isArray(skipped)) return null;
  if (!Array.isArray(failedFiles) || !Array.isArray(flaky)) return null;
  return { passed, failed, skipped, failedFiles, flaky };
}
