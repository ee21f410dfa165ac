import { expect, test } from 'vitest';
import { parseHistogram, quantileBetween } from './metrics-histogram.ts';

const page = `# TYPE op_conductor_loop_lag_seconds histogram
op_conductor_loop_lag_seconds_bucket{le="0.001"} 90
op_conductor_loop_lag_seconds_bucket{le="0.01"} 99
op_conductor_loop_lag_seconds_bucket{le="+Inf"} 100
op_conductor_loop_lag_seconds_sum 0.2
op_conductor_loop_lag_seconds_count 100
op_conductor_other_loop_lag_bucket{le="1"} 5
`;

test('a histogram is read by its name, whatever prefix that has', () => {
  expect(parseHistogram(page, 'loop_lag_seconds')).toEqual([
    { bound: 0.001, count: 90 },
    { bound: 0.01, count: 99 },
    { bound: Infinity, count: 100 },
  ]);
  expect(parseHistogram(page, 'no_such')).toEqual([]);
});

test('only what happened between two readings counts', () => {
  const after = parseHistogram(page, 'loop_lag_seconds');
  expect(quantileBetween([], after, 0.99)).toBe(0.01);
  expect(quantileBetween([], after, 0.9)).toBe(0.001);
  // All ninety fast ones were before: nine of the ten left took up to 10 ms.
  expect(quantileBetween([{ bound: 0.001, count: 90 }], after, 0.9)).toBe(0.01);
  expect(quantileBetween(after, after, 0.5)).toBeNaN();
});
