import { expect, test } from 'vitest';
import { FILES_TRIED_AGAIN_MAX, withSecondTry } from './second-try.ts';
import type { FailedFile, Tally } from './tally.ts';

const skip = { name: 'a.test.ts > needs go', reason: 'Go is not installed' };
const other = { name: 'b.test.ts > needs go', reason: 'Go is not installed' };
const failure = (file: string): FailedFile => ({ file, passed: 3, failed: 2, skipped: [], message: 'x: 1 is not 2' });
const a = { ...failure('a.test.ts'), skipped: [skip] };
const first: Tally = { passed: 10, failed: 2, skipped: [skip, other], failedFiles: [a], flaky: [] };
const passes: Tally = { passed: 5, failed: 0, skipped: [skip], failedFiles: [], flaky: [] };

test('a file that passes at the second try counts as passed, once, and is named with its first failure', async () => {
  const tally = await withSecondTry(first, async () => passes);
  expect(tally).toEqual({ passed: 12, failed: 0, skipped: [other, skip], failedFiles: [], flaky: [a] });
});

test('a file that fails twice fails, with what failed the second time', async () => {
  const again = { ...passes, passed: 4, failed: 1, failedFiles: [{ ...a, message: 'y' }] };
  const tally = await withSecondTry(first, async () => again);
  expect(tally).toMatchObject({ passed: 11, failed: 1, failedFiles: [{ message: 'y' }], flaky: [] });
});

test('what failed outside any file stays failed', async () => {
  const tally = await withSecondTry({ ...first, failed: 3 }, async () => passes);
  expect(tally).toMatchObject({ failed: 1, flaky: [a] });
});

test('failed files are tried one at a time; of more than a handful none is', async () => {
  const files = Array.from({ length: FILES_TRIED_AGAIN_MAX + 1 }, (_, at) => failure(`${at}.test.ts`));
  const tried: string[] = [];
  let running = 0;
  const tryAgain = async ({ file }: FailedFile): Promise<Tally> => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    tried.push(file);
    return { ...passes, skipped: [] };
  };
  const broken: Tally = { passed: 18, failed: 12, skipped: [], failedFiles: files, flaky: [] };
  expect(await withSecondTry(broken, tryAgain)).toBe(broken);
  expect(tried).toEqual([]);
  await withSecondTry({ ...broken, failedFiles: files.slice(1) }, tryAgain);
  expect(tried).toEqual(files.slice(1).map(({ file }) => file));
});

test('a run without failures is left as it is', async () => {
  expect(await withSecondTry(passes, () => Promise.reject(new Error('nothing to try')))).toEqual(passes);
});
