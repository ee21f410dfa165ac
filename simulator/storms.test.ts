import { expect, it } from 'vitest';
import { storm } from './arbitrary.ts';
import { spendBudget } from './budget.ts';

const COUNT = 1000;

it(`every law holds in ${COUNT} runs with many faults at once`, { timeout: 600_000 }, () => {
  const report = spendBudget({ runs: storm, firstSeed: 1, count: COUNT, nowMs: () => performance.now() });
  expect(report.failure ?? '').toBe('');
  expect(report.counted).toBe(COUNT);
});
