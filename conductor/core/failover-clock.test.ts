import { expect, test } from 'vitest';
import { FailoverClock } from './failover-clock.ts';

function world() {
  const seconds: number[] = [];
  const metrics = { count: () => {}, gauge: () => {}, observe: (_: string, value: number) => void seconds.push(value) };
  return { clock: new FailoverClock(metrics, 'a'), seconds };
}

test('from the loss of the leader to the start of the own sequencer, once', () => {
  const { clock, seconds } = world();
  clock.leaderIs('b', 0);
  clock.leaderIs(null, 1000);
  clock.leaderIs(null, 1050);
  clock.leaderIs('a', 1080);
  clock.sequencerStarted(null);
  clock.sequencerStarted(1100);
  clock.sequencerStarted(1100);
  expect(seconds).toEqual([0.1]);
});

test('a hand-over without a moment of no leader counts from the hand-over', () => {
  const { clock, seconds } = world();
  clock.leaderIs('b', 0);
  clock.leaderIs('a', 500);
  clock.sequencerStarted(750);
  expect(seconds).toEqual([0.25]);
});

test('no failover: the first leader, another leader after the loss, a start before the loss', () => {
  const { clock, seconds } = world();
  clock.leaderIs('a', 0);
  clock.sequencerStarted(10);
  clock.leaderIs('b', 20);
  clock.leaderIs(null, 30);
  clock.sequencerStarted(10);
  clock.leaderIs('c', 40);
  clock.sequencerStarted(50);
  expect(seconds).toEqual([]);
});
