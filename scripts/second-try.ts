/**
 * Test files that failed are run once more, each alone: what passes then met a busy machine and not a defect. It counts
 * as passed and is named at the end of the run, so that nobody overlooks it. A file that fails twice has failed.
 */
import { addTallies, type FailedFile, type Tally } from './tally.ts';

/** More failed files than this are a broken build, which no second try helps. */
export const FILES_TRIED_AGAIN_MAX = 5;

/**
 * The tally of a run after its failed files had their second try, one at a time, in order. What failed outside any file
 * stays failed.
 */
export async function withSecondTry(first: Tally, tryAgain: (file: FailedFile) => Promise<Tally>): Promise<Tally> {
  if (first.failedFiles.length > FILES_TRIED_AGAIN_MAX) return first;
  let tally: Tally = { ...first, failedFiles: [] };
  for (const file of first.failedFiles) {
    const again = await tryAgain(file);
    const flaky = again.failed === 0 ? [file] : [];
    tally = addTallies([without(tally, file), { ...again, flaky }]);
  }
  return tally;
}

/** The tally but for what one file counted for. */
function without(tally: Tally, file: FailedFile): Tally {
  const names = new Set(file.skipped.map(({ name }) => name));
  return {
    ...tally,
    passed: tally.passed - file.passed,
    failed: tally.failed - file.failed,
    skipped: tally.skipped.filter(({ name }) => !names.has(name)),
  };
}
