import { expect, it } from 'vitest';
import { single } from './arbitrary.ts';
import { spendBudget } from './budget.ts';

const COUNT = 1000;

it(`every law holds in ${COUNT} runs with one fault after the other`, { timeout: 600_000 }, () => {
  const report = spendBudget({ runs: single, firstSeed: 1, count: COUNT, nowMs: () => performance.now() });
  expect(report.failure ?? '').toBe('');
  expect(report.counted).toBe(COUNT);
});
