/** Takes each law of the proof table out of the code: its test must fail then, and only then. */
import { expect, test } from 'vitest';
import type { Mutant } from './mutant.ts';
import { survivors } from './run.ts';
import { mutants } from './table.ts';

/** Mutants in one Vitest process. */
const batchSize = 50;

function batches(rows: readonly Mutant[]): Mutant[][] {
  // Rows of one test file side by side, so that a batch loads few files.
  const sorted = rows.toSorted((left, right) => (left.tests[0] ?? '').localeCompare(right.tests[0] ?? ''));
  return Array.from({ length: Math.ceil(sorted.length / batchSize) }, (_, at) =>
    sorted.slice(at * batchSize, (at + 1) * batchSize),
  );
}

test.each(batches(mutants).map((batch, at) => [at + 1, batch] as const))(
  'batch %i: no law can be taken out unnoticed',
  { timeout: 600_000 },
  async (_, batch) => {
    expect(await survivors(batch)).toEqual([]);
  },
);
