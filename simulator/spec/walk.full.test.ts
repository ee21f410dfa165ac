import { expect, it } from 'vitest';
import { walk } from './walk.ts';

const STEPS = 100_000;

it('raft.tla allows every step that random runs take', { timeout: 3_600_000 }, () => {
  const { refusal, steps } = walk({ firstSeed: 1000, steps: STEPS });
  expect(refusal).toBe(null);
  expect(steps).toBeGreaterThanOrEqual(STEPS);
});
