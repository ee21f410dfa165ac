/**
 * Puts mutants that a test has to catch into the code: their test must fail then, and only then. A sixth of them, another
 * one each day: all take as long as everything else together, and are tried every night (`npm run mutants`).
 */
import { expect, test } from 'vitest';
import { loadMutants, patchesFolder } from '../load.ts';
import { batches, complaints, testedMutants } from './run.ts';

const SHARES = 6;
const DAY_MS = 86_400_000;

const all = batches(testedMutants(loadMutants(patchesFolder)));
const today = Math.floor(Date.now() / DAY_MS) % SHARES;
const share = all.flatMap((batch, at) => (at % SHARES === today ? [[at + 1, all.length, batch] as const] : []));

test.each(share)('batch %i of %i: no mutant goes unnoticed', { timeout: 600_000 }, async (_, _of, batch) => {
  const found = await complaints(batch);
  expect(batch.flatMap(({ mutant }, at) => (found[at] === null ? [] : [`${mutant.id}: ${found[at]}`]))).toEqual([]);
});
