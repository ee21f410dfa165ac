import { expect, test } from 'vitest';
import { addTallies, describeTally, parseTally } from './tally.ts';

const skip = { name: 'a.test.ts > b', reason: 'Go is not installed' };

test('the count is the last line and every skipped test is named with its reason before it', () => {
  const text = describeTally({ passed: 3, failed: 1, skipped: [skip] });
  expect(text).toBe('skipped: a.test.ts > b: Go is not installed\n3 passed, 1 failed, 1 skipped');
});

test('tallies add up', () => {
  const one = { passed: 1, failed: 2, skipped: [skip] };
  expect(addTallies([one, one])).toEqual({ passed: 2, failed: 4, skipped: [skip, skip] });
  expect(addTallies([])).toEqual({ passed: 0, failed: 0, skipped: [] });
});

test.each(['', '{"passed":1', 'null', '[]', '{"passed":1,"failed":0}', '{"passed":"1","failed":0,"skipped":[]}'])(
  'what is not a tally is not read as one: %s',
  (text) => {
    expect(parseTally(text)).toBeNull();
  },
);

test('a tally survives writing and reading', () => {
  const tally = { passed: 1, failed: 0, skipped: [skip] };
  expect(parseTally(JSON.stringify(tally))).toEqual(tally);
});
