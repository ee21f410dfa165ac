/** The search finds bugs: with one of them in the core it tells which law is broken, and the shortest way there. */
import { describe, expect, test } from 'vitest';
import { loadMutants, patchesFolder } from '../../mutants/load.ts';
import { search } from '../../mutants/search/searching.ts';

/** Some 200 000 states on a machine that is busy with other things; milliseconds. */
const TEST_MS_MAX = 300_000;
/** Longest way to a broken law that still counts as a short one. */
const STEPS_MAX = 15;
/** A search for none would pass. */
const MUTANTS_MIN = 8;

const mutants = loadMutants(patchesFolder);
const searched = mutants.flatMap(({ id, path, caughtBy }) =>
  caughtBy.flatMap((catcher) => (catcher.by === 'search' ? [{ id, path, ...catcher }] : [])),
);

describe('with a bug in the core the search tells a short way to a broken law', () => {
  test.each(searched)('$id: $law', { timeout: TEST_MS_MAX }, async ({ path, scope, law }) => {
    const { broken, text } = await search(path, scope);
    expect(broken?.law, text).toBe(law);
    expect(broken?.steps, text).toBeLessThanOrEqual(STEPS_MAX);
  });

  test('and there are some', () => {
    expect(searched.length).toBeGreaterThanOrEqual(MUTANTS_MIN);
  });

  test('and says so when it finds none', { timeout: TEST_MS_MAX }, async () => {
    const { path = '' } = searched.find(({ id }) => id === 'vote-not-durable') ?? {};
    const { broken, text } = await search(path, 'elections');
    expect(text).toContain('every law holds in every state');
    expect(broken).toBeNull();
  });
});
