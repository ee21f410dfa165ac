import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { RUN_VERSION, type Run } from './run-value.ts';
import { begunBy, shrinkRun } from './shrink.ts';

function runOf(kinds: readonly EventKind[]): Run {
  const events = kinds.map((kind): SimEvent => ({ kind, afterMs: 100, at: 1, to: 0, forMs: 800, amount: 640 }));
  return { version: RUN_VERSION, configuration: defaultConfiguration, events };
}

/** When each event of that kind happens, milliseconds from the start. */
function timesOf({ events }: Run, kind: EventKind): number[] {
  let atMs = 0;
  return events.flatMap((event) => {
    atMs += event.afterMs;
    return event.kind === kind ? [atMs] : [];
  });
}

const noise: readonly EventKind[] = ['pause', 'read', 'cut', 'reset', 'stall'];

describe('shrinking', () => {
  test('leaves the events that are needed, at the times at which they happened', () => {
    const run = runOf([...noise, 'crash', ...noise, 'lostDisk', ...noise]);
    const fails = (one: Run): boolean => timesOf(one, 'crash').includes(600) && timesOf(one, 'lostDisk').includes(1200);
    const shrunk = shrinkRun(run, fails, () => true);
    expect(shrunk.events.map(({ kind }) => kind)).toEqual(['crash', 'lostDisk']);
    expect(fails(shrunk)).toBe(true);
  });

  test('makes what is left shorter and smaller, as far as it still fails', () => {
    const fails = ({ events }: Run): boolean => events.some(({ kind, forMs }) => kind === 'crash' && forMs >= 150);
    const [event] = shrinkRun(runOf(['crash']), fails, () => true).events;
    expect(event).toMatchObject({ kind: 'crash', forMs: 200, amount: 40 });
  });

  test('tries the end of a run alone before anything that takes longer', () => {
    const lengths: number[] = [];
    const fails = ({ events }: Run): boolean => {
      lengths.push(events.length);
      return events.some(({ kind }) => kind === 'crash');
    };
    const shrunk = shrinkRun(runOf([...noise, ...noise, ...noise, 'crash']), fails, () => true);
    expect(lengths.slice(0, 2)).toEqual([2, 1]);
    expect(timesOf(shrunk, 'crash')[0]).toBeLessThanOrEqual(100);
  });

  test('asks about each run once', () => {
    const asked: string[] = [];
    const fails = (run: Run): boolean => {
      asked.push(JSON.stringify(run.events));
      return ['crash', 'cut'].every((wanted) => run.events.some(({ kind }) => kind === wanted));
    };
    shrinkRun(runOf([...noise, 'crash', ...noise]), fails, () => true);
    expect(asked.length).toBeGreaterThan(10);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('makes nothing plainer for ever', () => {
    let asked = 0;
    const run = runOf(Array.from({ length: 40 }, () => 'crash'));
    shrinkRun(
      run,
      ({ events }) => (asked++, events.length === 40),
      () => true,
    );
    const withoutOne = 40;
    expect(asked).toBeLessThan(3 * withoutOne + 40);
  });

  test('leaves out what had not begun when the law was broken', () => {
    const run = runOf(['crash', 'cut', 'pause', 'read']);
    expect(begunBy(run, 250).events.map(({ kind }) => kind)).toEqual(['crash', 'cut']);
    expect(begunBy(run, 400)).toEqual(run);
  });

  test('ends when its time is over, with a run that fails', () => {
    let asked = 0;
    const fails = ({ events }: Run): boolean => {
      asked++;
      return events.some(({ kind }) => kind === 'crash');
    };
    const shrunk = shrinkRun(runOf([...noise, 'crash', ...noise]), fails, () => asked < 3);
    expect(asked).toBe(3);
    expect(shrunk.events.some(({ kind }) => kind === 'crash')).toBe(true);
  });

  test('does not give a run that passes, however short', () => {
    const run = runOf(['crash', 'crash']);
    expect(
      shrinkRun(
        run,
        () => false,
        () => true,
      ),
    ).toEqual(run);
  });
});
