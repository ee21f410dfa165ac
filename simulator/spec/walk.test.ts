import { expect, it } from 'vitest';
import { walk } from './walk.ts';

/** Always the same runs; `npm run test:full` goes on from there. */
const FIRST_SEED = 1;
const STEPS = 2500;

it('raft.tla allows every step that random runs take', { timeout: 120_000 }, () => {
  const { refusal, steps, actions } = walk({ firstSeed: FIRST_SEED, steps: STEPS });
  expect(refusal).toBe(null);
  expect(steps).toBeGreaterThanOrEqual(STEPS);
  // A walk without elections or entries would say little.
  for (const action of ['Timeout', 'BecomeLeader', 'Restart', 'ClientRequest', 'AppendEntries', 'AdvanceTo', 'Holds'])
    expect(actions.get(action) ?? 0, action).toBeGreaterThan(10);
});
