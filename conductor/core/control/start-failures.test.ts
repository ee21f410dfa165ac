import { expect, test } from 'vitest';
import { StartFailures } from './start-failures.ts';

test('a node that could not be started is unfit at first, then doubtful, and fit again after a minute or a start', () => {
  const failures = new StartFailures(3000);
  failures.failed(false, 1000);
  expect(failures.trouble(1000)).toBe('none');
  failures.failed(false, 4000);
  const later = (ms: number): string => failures.trouble(4000 + ms);
  expect([0, 9999, 10_000, 59_999, 60_000].map((ms) => later(ms))).toEqual([
    'unfit',
    'unfit',
    'doubtful',
    'doubtful',
    'none',
  ]);
  failures.started();
  expect(later(0)).toBe('none');
});
