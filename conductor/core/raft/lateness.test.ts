import { expect, it } from 'vitest';
import { Lateness } from './lateness.ts';

const MINUTE_MS = 60_000;

it('what came late is remembered for half a minute at least, and a minute at most', () => {
  const lateness = new Lateness();
  lateness.note(80, 0);
  lateness.note(-5, 29_000);
  expect(lateness.maxMs(30_000)).toBe(80);
  expect(lateness.maxMs(60_000)).toBe(0);
});

it('a needless election is remembered for ten minutes, and for twice as long with each further one, an hour at most', () => {
  const lateness = new Lateness();
  let nowMs = 0;
  for (const minutes of [10, 20, 40, 60, 60]) {
    lateness.noteNeedless(1000, nowMs);
    nowMs += minutes * MINUTE_MS;
    expect(lateness.maxMs(nowMs - 1)).toBe(1000);
    expect(lateness.maxMs(nowMs)).toBe(0);
  }
});
