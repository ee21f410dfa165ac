/** Rule 19, over rounds: a sequencer that was started with an old head and comes nearer is not stalled. */
import { expect, test } from 'vitest';
import type { CallResult } from '../node/calls.ts';
import { wellAnswers } from './checks.ts';
import type { Verdict } from './verdict.ts';
import { HealthMonitor } from './monitor.ts';
import { HEALTH_DEFAULTS } from './check.ts';

const startUnixMs = 1_000_000_000_000;
const startSeconds = startUnixMs / 1000;
const unsafeIntervalSeconds = 5;

/** Verdicts of one round a second; `headAgeAt` gives the age of the head in seconds at each second since the start. */
function verdictsOf(seconds: number, headAgeAt: (second: number) => number): boolean[] {
  let now = 0;
  const calls = new Map<string, (result: CallResult) => void>();
  const verdicts: Verdict[] = [];
  const monitor = new HealthMonitor(
    { ...HEALTH_DEFAULTS, unsafeIntervalSeconds, timeoutMs: 1 },
    { intervalMs: 1000, blockTimeMs: 1000 },
    {
      nowMs: () => now,
      unixMs: () => startUnixMs + now,
      call: ({ method }, then) => void calls.set(method, then),
      startedAtSeconds: () => startSeconds,
      commandEpoch: () => 1,
      verdict: (verdict) => void verdicts.push(verdict),
      observed: () => undefined,
    },
  );
  for (let second = 1; second <= seconds; second += 1) {
    now = second * 1000;
    monitor.tick();
    const timestamp = startSeconds + second - headAgeAt(second);
    const status = { unsafe_l2: { timestamp }, safe_l2: { timestamp } };
    const answers = { ...wellAnswers('node'), ...wellAnswers('execution'), optimism_syncStatus: status };
    for (const [method, value] of Object.entries(answers)) calls.get(method)?.({ kind: 'result', value });
  }
  return verdicts.map(({ isHealthy }) => isHealthy);
}

test('a sequencer far behind that fills its slots is healthy until it has caught up, however long that takes', () => {
  const verdicts = verdictsOf(60, (second) => 600 - 9 * second);
  expect(verdicts).toEqual(verdicts.map(() => true));
});

test('one that is as far behind as at its start is unhealthy after one unsafe interval', () => {
  const verdicts = verdictsOf(unsafeIntervalSeconds + 2, () => 600);
  expect(verdicts.slice(0, unsafeIntervalSeconds)).toEqual(Array.from({ length: unsafeIntervalSeconds }, () => true));
  expect(verdicts.at(-1)).toBe(false);
});

test('one that stops coming nearer is unhealthy one unsafe interval later', () => {
  const verdicts = verdictsOf(20 + unsafeIntervalSeconds + 2, (second) => 600 - 9 * Math.min(second, 20) + second);
  expect(verdicts.slice(0, 20 + unsafeIntervalSeconds)).not.toContain(false);
  expect(verdicts.at(-1)).toBe(false);
});
