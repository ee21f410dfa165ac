/** The larger scopes, complete. */
import { expect, test } from 'vitest';
import { scopes } from './scope.ts';
import { search } from './search.ts';

/** More than a million states on a machine that is busy with other things; milliseconds. */
const TEST_MS_MAX = 600_000;

test.each(['connections', 'timeouts'] as const)(
  '%s: every law holds in every state',
  { timeout: TEST_MS_MAX },
  (name) => {
    const { violation, path, isComplete, seen } = search(scopes[name]);
    expect({ violation, path, isComplete }).toEqual({ violation: null, path: [], isComplete: true });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5000);
  },
);

test('what a server does next depends on nothing that its fingerprint leaves out', { timeout: TEST_MS_MAX }, () => {
  const bounds = { timeouts: 1, breaks: 1, stallsOfLeaders: 1, tellsCommits: true, inflightRequestsMax: 2 };
  const { recheck } = search({ ...scopes.base, ...bounds }, { statesMax: 200_000, isRechecked: true });
  expect(recheck!.differences).toEqual([]);
  expect(recheck!.lines).toBeGreaterThan(5000);
});
