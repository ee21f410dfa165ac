import { expect, test } from 'vitest';
import { HeadWatch } from './head-watch.ts';

const startMs = 1_000_000_000_000;
const at = (ms: number) => ({ nowMs: ms, unixMs: startMs + ms });
const secondsAt = (ms: number): number => Math.floor((startMs + ms) / 1000);
const watch = (): HeadWatch => new HeadWatch({ unsafeIntervalSeconds: 3, blockTimeMs: 1000 });

test('the moment at which the head becomes too old is a moment to look, once', () => {
  const head = watch();
  expect(head.lookAtMs).toBe(Infinity);
  head.seen(secondsAt(0), null, at(400));
  expect(head.lookAtMs).toBe(4000);
  head.looked(3999);
  expect(head.lookAtMs).toBe(4000);
  head.looked(4000);
  expect(head.lookAtMs).toBe(Infinity);
});

test('a head that goes on moves that moment, one that is too old already has none', () => {
  const head = watch();
  head.seen(secondsAt(0), null, at(400));
  head.seen(secondsAt(1000), null, at(1400));
  expect(head.lookAtMs).toBe(5000);
  head.seen(secondsAt(1000), null, at(5000));
  expect(head.lookAtMs).toBe(Infinity);
});

test('a block that does not follow the last in time is a reason to look', () => {
  const head = watch();
  head.blockCommitted(100, secondsAt(100));
  head.blockCommitted(1100, secondsAt(1100));
  expect(head.lookAtMs).toBe(2350);
  head.looked(2350);
  expect(head.lookAtMs).toBe(Infinity);
});

test('the time of the own sequencer’s newest block counts until the next one is overdue', () => {
  const head = watch();
  expect(head.committedSeconds(0)).toBeNull();
  head.blockCommitted(100, secondsAt(100));
  expect(head.committedSeconds(1349)).toBe(secondsAt(100));
  expect(head.committedSeconds(1350)).toBeNull();
});

test('after a start the age counts from the last moment at which the head came nearer', () => {
  const head = watch();
  const started = secondsAt(0);
  expect(head.seen(started - 100, started, at(0))).toBe(started);
  expect(head.seen(started - 80, started, at(10_000))).toBe(secondsAt(10_000));
  expect(head.seen(started - 75, started, at(20_000))).toBe(secondsAt(10_000));
  expect(head.seen(started - 55, started, at(30_000))).toBe(secondsAt(30_000));
});

test('a new start counts from itself, and one that was stopped not at all', () => {
  const head = watch();
  head.seen(secondsAt(0), secondsAt(0), at(0));
  expect(head.seen(secondsAt(0), null, at(5000))).toBe(null);
  expect(head.seen(secondsAt(0), secondsAt(8000), at(9000))).toBe(secondsAt(8000));
  expect(head.seen(secondsAt(0), secondsAt(20_000), at(21_000))).toBe(secondsAt(20_000));
});
