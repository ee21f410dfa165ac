import { describe, expect, test, vi } from 'vitest';
import { createRandom, monotonicMs, wallClock } from './clock.ts';

describe('monotonicMs', () => {
  test('never goes back and tells fractions of a millisecond', () => {
    let previous = monotonicMs();
    let hasFraction = false;
    for (let call = 0; call < 10_000; call += 1) {
      const now = monotonicMs();
      expect(now).toBeGreaterThanOrEqual(previous);
      hasFraction ||= now !== Math.trunc(now);
      previous = now;
    }
    expect(hasFraction).toBe(true);
  });

  test('runs at the pace of the system clock', () => {
    const started = { own: monotonicMs(), system: Bun.nanoseconds() / 1e6 };
    Bun.sleepSync(20);
    const difference = monotonicMs() - started.own - (Bun.nanoseconds() / 1e6 - started.system);
    expect(Math.abs(difference)).toBeLessThan(5);
  });
});

describe('wallClock', () => {
  test('tells Unix milliseconds', () => {
    expect(Math.abs(wallClock.unixMs() - Date.now())).toBeLessThan(1000);
  });

  test('is as far ahead as it was, however long the process is kept waiting between two readings', () => {
    const aheadMs = wallClock.aheadMs();
    const read = Date.now.bind(Date);
    let stops = 2;
    const held = vi.spyOn(Date, 'now').mockImplementation(() => {
      if (stops-- > 0) Bun.sleepSync(60);
      return read();
    });
    expect(Math.abs(wallClock.aheadMs() - aheadMs)).toBeLessThan(40);
    held.mockRestore();
    expect(stops).toBeLessThan(0);
  });
});

describe('createRandom', () => {
  test('fills [0, 1) evenly', () => {
    const random = createRandom();
    const draws = 40_000;
    const buckets = Array.from({ length: 20 }, () => 0);
    for (let draw = 0; draw < draws; draw += 1) {
      const value = random.next();
      expect(value >= 0 && value < 1).toBe(true);
      const bucket = Math.floor(value * buckets.length);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // Each bucket expects 2000 with a deviation of 44; eight deviations never happen by chance.
    for (const count of buckets) expect(Math.abs(count - draws / buckets.length)).toBeLessThan(8 * 44);
  });

  test('two generators, as of two servers, are not in step', () => {
    const [one, other] = [createRandom(), createRandom()];
    const pairs = Array.from({ length: 8 }, () => [one.next(), other.next()]);
    expect(pairs.some(([a, b]) => a !== b)).toBe(true);
    expect(new Set(pairs.map(([a]) => a)).size).toBeGreaterThan(1);
  });
});
