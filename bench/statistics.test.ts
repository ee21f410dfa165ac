import { describe, expect, it } from 'vitest';
import { median, quantile, summarize } from './statistics.ts';

describe('statistics', () => {
  it('takes quantiles by nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(summarize(samples)).toEqual({ count: 100, min: 1, p50: 50, p90: 90, p99: 99, max: 100 });
    expect(quantile([7], 0.01)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('takes the median of odd and even counts', () => {
    expect(median([5, 1, 9])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});
