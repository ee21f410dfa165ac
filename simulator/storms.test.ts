import { expect, it } from 'vitest';
import { storm } from './arbitrary.ts';
import { budgetTimeoutMs, spendBudget } from './budget.ts';
import { usualKinds } from './fault-sets.ts';
import { sometimesNames } from './sometimes.ts';

/** `npm run test:full` has more of them. */
const COUNT = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 1000 : 100;
/** Overrides, what follows them, availability and who keeps leading are judged in runs of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  'event astray',
  'event override',
  'event emergency',
  'a payload above a gap is accepted',
  'an operator overrides the leader',
  'the availability of a run is judged',
  'leadership is kept through a fault of another',
]);

it(`every law holds in ${COUNT} runs with many faults at once`, { timeout: budgetTimeoutMs(COUNT) }, () => {
  const report = spendBudget({ runs: storm, firstSeed: 1, count: COUNT, nowMs: () => performance.now() });
  expect(report.failure ?? '').toBe('');
  expect(report.counted).toBe(COUNT);
  const wanted = [...usualKinds.map((kind) => `event ${kind}`), ...sometimesNames];
  expect(wanted.filter((name) => !report.sometimes.has(name) && !elsewhere.has(name))).toEqual([]);
});
