import { expect, it } from 'vitest';
import { overridden, single } from './arbitrary.ts';
import { budgetTimeoutMs, spendBudget } from './budget.ts';
import { boundedKinds } from './oracles/gap-bounds.ts';

/** `npm run test:full` has more of them. */
const SINGLES = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 1000 : 140;
const OVERRIDDEN = 50;

it(
  `every law holds in ${SINGLES} runs with one fault after the other, availability among them`,
  { timeout: budgetTimeoutMs(SINGLES) },
  () => {
    let runs = 0;
    const report = spendBudget({
      runs: single,
      firstSeed: 1,
      count: SINGLES,
      nowMs: () => performance.now(),
      done: () => void runs++,
    });
    expect(report.failure ?? '').toBe('');
    expect(report.counted).toBe(SINGLES);
    expect(report.sometimes.get('the availability of a run is judged')).toBe(runs);
    for (const kind of boundedKinds) expect(report.sometimes.get(`event ${kind}`), kind).toBeGreaterThan(0);
  },
);

it(
  `every law holds in ${OVERRIDDEN} runs in which an operator overrides the leader`,
  { timeout: budgetTimeoutMs(OVERRIDDEN) },
  () => {
    const report = spendBudget({ runs: overridden, firstSeed: 1, count: OVERRIDDEN, nowMs: () => performance.now() });
    expect(report.failure ?? '').toBe('');
    expect(report.counted).toBe(OVERRIDDEN);
    expect(report.sometimes.get('an operator overrides the leader')).toBeGreaterThan(OVERRIDDEN / 2);
    expect(report.sometimes.get('a payload above a gap is accepted')).toBeGreaterThan(OVERRIDDEN / 4);
  },
);
