import { expect, it } from 'vitest';
import { Judge } from './judge.ts';
import type { RunReport } from './run.ts';
import { Soak } from './soak.ts';

function reportOf(...sometimes: readonly string[]): RunReport {
  const judge = new Judge([]);
  for (const name of sometimes) judge.sometimes.set(name, 2);
  return { violation: null, hash: '', virtualMs: 60_000, handled: 10, published: 50, judge };
}

it('prints progress every ten seconds: runs, rate, blocks, kinds of events', () => {
  const lines: string[] = [];
  const soak = new Soak(1000, (line) => lines.push(line));
  soak.done(reportOf('event crash'), 2000);
  expect(lines).toEqual([]);
  soak.done(reportOf('event cut', 'event crash'), 11_000);
  expect(lines).toEqual([
    expect.stringMatching(
      /^2 runs, 120 virtual seconds \(12 per second\), 100 blocks published, 2 of \d+ kinds of events, 0 of \d+ sometimes-assertions$/,
    ),
  ]);
  soak.done(reportOf(), 12_000);
  expect(lines).toHaveLength(1);
});

it('says at the end what happened how often, and what never did', () => {
  const lines: string[] = [];
  const soak = new Soak(0, (line) => lines.push(line));
  soak.done(reportOf('event crash', 'a snapshot is installed'), 1);
  soak.done(reportOf('event crash'), 2);
  soak.summary(3);
  expect(lines).toContain('  event crash: 4');
  expect(lines).toContain('  a snapshot is installed: 2');
  const never = lines.filter((line) => line.startsWith('  never: '));
  expect(never).toContain('  never: event freeze');
  expect(never).toContain('  never: a linearizable read is judged');
  expect(never).not.toContain('  never: event crash');
});
