import { expect, it } from 'vitest';
import { laws } from './oracles/laws.ts';
import { runKinds } from './run-kinds.ts';
import { makeTable, tableText, type SimulationTable } from './table.ts';

function made(): SimulationTable {
  const table = makeTable({ runs: 2, nowMs: () => 0 });
  if (typeof table === 'string') throw new Error(table);
  return table;
}

it('has a row for each law and each kind of run, and is the same each time', { timeout: 120_000 }, () => {
  const table = made();
  expect(table.laws.map(({ law }) => law)).toEqual(Object.keys(laws));
  expect(table.kinds.map(({ kind }) => kind)).toEqual(Object.keys(runKinds));
  expect(made()).toEqual(table);
});

it('counts for a law the runs that it could judge, and what it was told', { timeout: 120_000 }, () => {
  const table = made();
  const runs = table.kinds.reduce((sum, kind) => sum + kind.runs, 0);
  const singles = table.kinds.find(({ kind }) => kind === 'single')!.runs;
  const row = new Map(table.laws.map(({ law, ...numbers }) => [law, numbers]));
  expect(row.get('electionSafety')?.runs).toBe(runs);
  expect(row.get('availability')?.runs).toBeGreaterThanOrEqual(singles);
  expect(row.get('availability')?.runs).toBeLessThan(runs);
  expect(row.get('electionSafety')?.events).toBeGreaterThan(row.get('noUnsafeReorg')!.events);
  expect(tableText(table)).toMatch(new RegExp(`^electionSafety +${runs} +\\d+$`, 'm'));
});
