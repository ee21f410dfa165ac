import { describe, expect, test } from 'vitest';
import { scopes } from './scope.ts';
import { search } from './search.ts';

/** A search of some 200 000 states on a machine that is busy with other things; milliseconds. */
const TEST_MS_MAX = 120_000;

describe('every order of what can happen to three servers', () => {
  // The numbers are those of the model and the core together: they change when either can do something else.
  test.each([
    { name: 'elections', states: 9205, steps: 25_487, depth: 24 },
    { name: 'base', states: 195_958, steps: 590_869, depth: 28 },
  ] as const)('$name: every law holds in each of $states states', { timeout: TEST_MS_MAX }, ({ name, ...expected }) => {
    const { violation, path, isComplete, states, steps, depth, seen } = search(scopes[name]);
    expect({ violation, path, isComplete }).toEqual({ violation: null, path: [], isComplete: true });
    expect({ states, steps, depth }).toEqual(expected);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(500);
  });

  test('what a server does next depends on nothing that its fingerprint leaves out', { timeout: TEST_MS_MAX }, () => {
    const scope = { ...scopes.elections, handOvers: 1, timeouts: 1, crashes: 1, breaks: 1, stallsOfLeaders: 1 };
    const { recheck } = search({ ...scope, tellsCommits: true }, { statesMax: 40_000, isRechecked: true });
    expect(recheck!.differences).toEqual([]);
    expect(recheck!.lines).toBeGreaterThan(1000);
  });

  test('a search that is broken off says so', () => {
    const { states, isComplete } = search(scopes.elections, { statesMax: 2000 });
    expect({ states, isComplete }).toEqual({ states: 2000, isComplete: false });
  });
});

test('nothing happens within a scope of nothing', () => {
  const { states, steps, isComplete } = search({ ...scopes.elections, handOvers: 0 });
  expect({ states, steps, isComplete }).toEqual({ states: 1, steps: 0, isComplete: true });
});

test('one campaign: one leader, and everybody follows', () => {
  const { isComplete, seen } = search({ ...scopes.elections, handOvers: 1 });
  expect(isComplete).toBe(true);
  expect(seen.leader).toBeGreaterThan(0);
  expect(seen.committed).toBeGreaterThan(0);
  expect(seen.twoLeaders).toBe(0);
});
