import { describe, expect, it } from 'vitest';
import { storm } from './arbitrary.ts';
import { spendBudget, type BudgetOptions } from './budget.ts';
import { kinds } from './faults.ts';
import { Judge } from './judge.ts';
import type { RunReport } from './run.ts';
import type { Run } from './run-value.ts';

function reportOf(numbers: Partial<RunReport>): RunReport {
  return { violation: null, hash: '', virtualMs: 60_000, handled: 3, published: 10, judge: new Judge([]), ...numbers };
}

function spend(carryOut: (run: Run) => RunReport, more: Partial<BudgetOptions> = {}) {
  const ran: Run[] = [];
  const options = { runs: storm, firstSeed: 1, count: 5, nowMs: () => 0, ...more };
  const report = spendBudget({ ...options, carryOut: (run) => (ran.push(run), carryOut(run)) });
  return { ...report, ran };
}

describe('the budget', () => {
  it('goes on until enough runs count: long, with blocks, and with something serious', () => {
    const { counted, ran, virtualMs, published } = spend(() => reportOf({}));
    const serious = ran.filter(({ events }) => events.some(({ kind }) => kinds[kind].reach !== 'none'));
    expect(counted).toBe(5);
    expect(serious).toHaveLength(5);
    expect(virtualMs).toBe(60_000 * ran.length);
    expect(published).toBe(10 * ran.length);
  });

  it.each([{ virtualMs: 59_999 }, { published: 9 }])('%o does not count, and it gives up in time', (numbers) => {
    const { counted, ran } = spend(() => reportOf(numbers));
    expect(counted).toBe(0);
    expect(ran).toHaveLength(10);
  });

  it('carries out the same runs each time, and others from another seed', () => {
    const [one, again, other] = [1, 1, 1000].map((firstSeed) => spend(() => reportOf({}), { firstSeed }).ran);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('ends at the first run that breaks a law, with its story, shrunk for a minute at most', () => {
    let nowMs = 0;
    const violation = { law: 'logMatching', message: 'as the test wants it', atMs: 5 } as const;
    const { failure, counted, ran } = spend((run) => reportOf(run.events.length > 1 ? { violation } : {}), {
      nowMs: () => (nowMs += 10_000),
    });
    expect(counted).toBeLessThanOrEqual(1);
    expect(ran.length).toBeLessThan(10);
    expect(failure).toMatch(/^logMatching is broken by a run of \d+ events/);
    expect(failure).toContain("replay with: npm run sim -- replay 'v1~");
  });
});
