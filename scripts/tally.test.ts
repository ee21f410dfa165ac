import { expect, test } from 'vitest';
import { addTallies, describeTally, parseTally } from './tally.ts';

const skip = { name: 'a.test.ts > b', reason: 'Go is not installed' };
const file = { file: 'c.test.ts', passed: 1, failed: 1, skipped: [], message: 'd: 1 is not 2' };
const none = { passed: 0, failed: 0, skipped: [], failedFiles: [], flaky: [] };

test('the count is the last line and every skipped test is named with its reason before it', () => {
  const text = describeTally({ ...none, passed: 3, failed: 1, skipped: [skip] });
  expect(text).toBe('skipped: a.test.ts > b: Go is not installed\n3 passed, 1 failed, 1 skipped');
});

test('a file that passed only at the second try is named with its first failure, before the count', () => {
  const text = describeTally({ ...none, passed: 2, flaky: [file] });
  expect(text).toBe('passed only at the second try: c.test.ts: d: 1 is not 2\n2 passed, 0 failed, 0 skipped');
});

test('tallies add up', () => {
  const one = { passed: 1, failed: 2, skipped: [skip], failedFiles: [file], flaky: [file] };
  const two = { passed: 2, failed: 4, skipped: [skip, skip], failedFiles: [file, file], flaky: [file, file] };
  expect(addTallies([one, one])).toEqual(two);
  expect(addTallies([])).toEqual(none);
});

test.each([
  '',
  '{"passed":1',
  'null',
  '[]',
  '{"passed":1,"failed":0}',
  '{"passed":"1","failed":0,"skipped":[],"failedFiles":[],"flaky":[]}',
  '{"passed":1,"failed":0,"skipped":[]}',
])('what is not a tally is not read as one: %s', (text) => {
  expect(parseTally(text)).toBeNull();
});

test('a tally survives writing and reading', () => {
  const tally = { ...none, passed: 1, skipped: [skip], failedFiles: [file] };
  expect(parseTally(JSON.stringify(tally))).toEqual(tally);
});
