import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hardshipKinds, waitingFor } from './fault-sets.ts';
import { hardship, leftOut } from './hardship.ts';
import { spendBudget } from './budget.ts';
import { isOneAtATime } from './oracles/one-at-a-time.ts';
import type { Run } from './run-value.ts';

/** `npm run test:full` has more of them. */
const COUNT = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 600 : 40;

it(`every law holds in ${COUNT} runs of hardship`, { timeout: 600_000 }, () => {
  const report = spendBudget({ runs: hardship, firstSeed: 1, count: COUNT, nowMs: () => performance.now() });
  expect(report.failure ?? '').toBe('');
  expect(report.counted).toBe(COUNT);
  const wanted = hardshipKinds
    .filter((kind) => (waitingFor[kind] ?? leftOut[kind]) === undefined)
    .map((kind) => `event ${kind}`);
  const sometimes = ['a conductor is asked whether it is active', 'an offered block is refused'];
  expect([...wanted, ...sometimes].filter((name) => !report.sometimes.has(name))).toEqual([]);
  for (const kind of Object.keys(leftOut)) expect(report.sometimes.has(`event ${kind}`), kind).toBe(false);
});

it('clusters are of all sizes, and what makes a disk old happens alone', () => {
  const runs: Run[] = fc.sample(hardship, { seed: 1, numRuns: 300 });
  const sizes = new Set(runs.map(({ configuration: { servers, nonvoters } }) => `${servers} ${nonvoters}`));
  expect([...sizes].toSorted()).toEqual(['1 0', '2 0', '3 0', '4 1', '5 0', '5 2', '7 0']);
  const old = runs.filter(({ events }) => events.some(({ kind }) => kind === 'restored' || kind === 'lyingDisk'));
  expect(old.length).toBeGreaterThan(20);
  const alone = old.filter(({ configuration: { servers, nonvoters } }) => servers - nonvoters >= 3);
  expect(alone.every(isOneAtATime)).toBe(true);
});
