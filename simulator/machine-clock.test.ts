import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EPOCH_MS, MachineClock } from './machine-clock.ts';

describe('the clocks of a machine', () => {
  it('the time at which it shows something is the inverse of what it shows, at every rate', () => {
    const changes = fc.array(
      fc.record({ afterMs: fc.nat(10_000), rate: fc.double({ min: 0.5, max: 2, noNaN: true }) }),
    );
    fc.assert(
      fc.property(changes, fc.nat(10_000), (steps, laterMs) => {
        const clock = new MachineClock(1000);
        let nowMs = 0;
        let shown = 1000;
        for (const { afterMs, rate } of steps) {
          nowMs += afterMs;
          expect(clock.monotonicMs(nowMs)).toBeGreaterThanOrEqual(shown);
          shown = clock.monotonicMs(nowMs);
          clock.setRate(nowMs, rate);
          expect(clock.monotonicMs(nowMs)).toBeCloseTo(shown, 6);
        }
        nowMs += laterMs;
        expect(clock.worldMs(clock.monotonicMs(nowMs))).toBeCloseTo(nowMs, 5);
      }),
    );
  });

  it('its wall clock may step without its monotonic one', () => {
    const clock = new MachineClock(5);
    clock.wallOffsetMs = -300;
    expect(clock.unixMs(1000)).toBe(EPOCH_MS + 700);
    expect(clock.monotonicMs(1000)).toBe(1005);
  });

  it('at twice the rate shows twice the time', () => {
    const clock = new MachineClock(0);
    clock.setRate(100, 2);
    expect(clock.monotonicMs(150)).toBe(200);
    expect(clock.durationMs(100)).toBe(50);
    clock.setRate(150, 0.5);
    expect(clock.monotonicMs(250)).toBe(250);
  });
});
