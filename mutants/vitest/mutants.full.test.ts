/** Puts each mutant that a test has to catch into the code: its test must fail then, and only then. */
import { expect, test } from 'vitest';
import { loadMutants, patchesFolder } from '../load.ts';
import { batches, complaints, testedMutants } from './run.ts';

test.each(batches(testedMutants(loadMutants(patchesFolder))).map((batch, at) => [at + 1, batch] as const))(
  'batch %i: no mutant goes unnoticed',
  { timeout: 600_000 },
  async (_, batch) => {
    const found = await complaints(batch);
    expect(batch.flatMap(({ mutant }, at) => (found[at] === null ? [] : [`${mutant.id}: ${found[at]}`]))).toEqual([]);
  },
);
