/** The drawings of block times: what they show agrees with itself, and nothing falls out of the frame. */
import { describe, expect, test } from 'vitest';
import { xOf } from './BlockTimesDrawing.tsx';
import { gasOf, histogram, histogramGroup, runs, slowerThan } from './block-times.ts';

const groups = runs.flatMap((run) => run.groups);

describe('block times', () => {
  test('are six groups of gas and all blocks, in each of five runs', () => {
    expect(runs.map((run) => run.groups.map(gasOf))).toEqual(
      Array.from({ length: 5 }, () => ['0–5', '5–10', '10–15', '15–20', '20–25', '25–30', 'all']),
    );
  });

  test('the groups of a run are all its blocks, within the run', () => {
    for (const {
      groups: [...all],
      firstBlock,
      lastBlock,
    } of runs) {
      const sum = all.slice(0, 6).reduce((total, { count }) => total + count, 0);
      expect(sum).toBe(all[6]!.count);
      expect(sum).toBeLessThanOrEqual(lastBlock - firstBlock + 1);
    }
  });

  test('percentiles rise, and agree with the share under a second', () => {
    for (const { p50, p75, p85, p90, p95, p99, max, percentUnder1s } of groups) {
      const rising = [p50, p75, p85, p90, p95, p99, max];
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(p99 < 1).toBe(percentUnder1s > 99);
    }
  });

  test('every time lies within the frame', () => {
    for (const { p50, max } of groups) {
      expect(xOf(p50)).toBeGreaterThanOrEqual(84);
      expect(xOf(max)).toBeLessThanOrEqual(388);
    }
  });

  test('the bars of the histogram, read from a picture, are its blocks within one in a hundred, the tail within ten', () => {
    const { counts, firstSecond, binSeconds } = histogram;
    const total = counts.reduce((sum, blocks) => sum + blocks, 0);
    expect(Math.abs(total / histogramGroup.count - 1)).toBeLessThan(0.01);
    const tail = counts.filter((_, at) => firstSecond + at * binSeconds >= 1).reduce((sum, blocks) => sum + blocks, 0);
    expect(Math.abs(tail / slowerThan(1, histogramGroup) - 1)).toBeLessThan(0.1);
  });
});
