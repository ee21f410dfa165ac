import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hardshipKinds, waitingFor } from './fault-sets.ts';
import { hardship, leftOut, mixed } from './hardship.ts';
import { budgetTimeoutMs, spendBudget } from './budget.ts';
import { isOneAtATime } from './oracles/one-at-a-time.ts';
import type { RaftPosition } from '#conductor/core/raft/status';
import { Judge } from './judge.ts';
import type { Machine } from './machine.ts';
import { execute, type RunReport } from './run.ts';
import type { Run } from './run-value.ts';

/** `npm run test:full` has more of them. */
const COUNT = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 600 : 40;
const MIXED_COUNT = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 200 : 6;
/** Among so many runs, of which a night has more and `npm test` some, each kind is at least so many times. */
const KINDS_AMONG = 250;
const TIMES_MIN = 5;

it(`every law holds in ${COUNT} runs of hardship`, { timeout: budgetTimeoutMs(COUNT) }, () => {
  const report = spendBudget({ runs: hardship, firstSeed: 1, count: COUNT, nowMs: () => performance.now() });
  expect(report.failure ?? '').toBe('');
  expect(report.counted).toBe(COUNT);
  const sometimes = ['a conductor is asked whether it is active', 'an offered block is refused'];
  expect(sometimes.filter((name) => !report.sometimes.has(name))).toEqual([]);
  for (const kind of Object.keys(leftOut)) expect(report.sometimes.has(`event ${kind}`), kind).toBe(false);
});

it(`each kind of hardship is there several times in ${KINDS_AMONG} runs`, () => {
  const times = new Map<string, number>();
  for (let seed = 1; seed <= KINDS_AMONG; seed++) {
    // As a budget makes them up.
    const [run] = fc.sample(fc.noBias(hardship), { seed, numRuns: 1 });
    for (const { kind } of run!.events) times.set(kind, (times.get(kind) ?? 0) + 1);
  }
  const wanted = hardshipKinds.filter((kind) => (waitingFor[kind] ?? leftOut[kind]) === undefined);
  for (const kind of wanted) expect(times.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(TIMES_MIN);
});

it(
  `the laws of clusters with op-conductors hold in ${MIXED_COUNT} runs`,
  { timeout: budgetTimeoutMs(MIXED_COUNT) },
  () => {
    const leaders = new Set<string>();
    class WhoLeads extends Judge {
      override observed(machine: Machine, position: RaftPosition): void {
        super.observed(machine, position);
        if (position.role === 'leader') leaders.add(machine.isOpConductor ? 'op-conductor' : 'ours');
      }
    }
    const carryOut = (run: Run): RunReport => execute(run, { judge: new WhoLeads() });
    const nowMs = (): number => performance.now();
    const report = spendBudget({ runs: mixed, firstSeed: 1, count: MIXED_COUNT, nowMs, carryOut });
    expect(report.failure ?? '').toBe('');
    expect(report.counted).toBe(MIXED_COUNT);
    expect([...leaders].toSorted()).toEqual(['op-conductor', 'ours']);
  },
);

it('clusters are of all sizes, and what makes a disk old happens alone', () => {
  const runs: Run[] = fc.sample(hardship, { seed: 1, numRuns: 300 });
  const sizes = new Set(runs.map(({ configuration: { servers, nonvoters } }) => `${servers} ${nonvoters}`));
  expect([...sizes].toSorted()).toEqual(['1 0', '2 0', '3 0', '4 1', '5 0', '5 2', '7 0']);
  const old = runs.filter(({ events }) => events.some(({ kind }) => kind === 'restored' || kind === 'lyingDisk'));
  expect(old.length).toBeGreaterThan(20);
  const alone = old.filter(({ configuration: { servers, nonvoters } }) => servers - nonvoters >= 3);
  expect(alone.every(isOneAtATime)).toBe(true);
});
