import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineTimer } from './deadline-timer.ts';

let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
});
afterEach(() => void vi.useRealTimers());

function advance(ms: number): void {
  for (let i = 0; i < ms; i += 1) {
    nowMs += 1;
    vi.advanceTimersByTime(1);
  }
}

test('fires at the earliest deadline, asks for the next, and rests when there is none', () => {
  const fired: number[] = [];
  const left = [30, 40];
  const timer = new DeadlineTimer(
    () => nowMs,
    (at) => {
      fired.push(at);
      return left.shift() ?? Infinity;
    },
  );
  timer.at(50);
  timer.at(20);
  timer.at(60);
  advance(100);
  expect(fired).toEqual([20, 30, 40]);
  expect(vi.getTimerCount()).toBe(0);
  timer.at(120);
  advance(50);
  expect(fired).toEqual([20, 30, 40, 120]);
});

test('stays silent once stopped', () => {
  let fired = 0;
  const timer = new DeadlineTimer(
    () => nowMs,
    () => {
      fired += 1;
      return Infinity;
    },
  );
  timer.at(10);
  timer.stop();
  timer.at(5);
  advance(20);
  expect(fired).toBe(0);
});
