import { expect, onTestFinished, test } from 'vitest';
import type { Metrics } from '#conductor/core/ports';
import { startLoopLagMeter } from './loop-lag.ts';

/** A meter whose observations can be waited for. */
function startMeter(): { readonly observed: number[]; readonly next: () => Promise<void>; readonly stop: () => void } {
  const observed: number[] = [];
  let notify = (): void => {};
  const metrics: Metrics = {
    count: () => {},
    gauge: () => {},
    observe(name: string, seconds: number) {
      expect(name).toBe('loop_lag_seconds');
      observed.push(seconds);
      notify();
    },
  };
  const stop = startLoopLagMeter(metrics);
  onTestFinished(stop);
  return { observed, stop, next: () => new Promise((resolve) => (notify = resolve)) };
}

test('a loop that was held up is seen in loop_lag_seconds, and nothing is seen after stopping', async () => {
  const meter = startMeter();
  await meter.next();
  const held = meter.next();
  Bun.sleepSync(350);
  await held;
  expect(meter.observed[0]).toBeGreaterThanOrEqual(0);
  expect(Math.max(...meter.observed)).toBeGreaterThan(0.2);
  meter.stop();
  const count = meter.observed.length;
  const later = startMeter();
  for (let probe = 0; probe < 3; probe += 1) await later.next();
  expect(meter.observed).toHaveLength(count);
});
