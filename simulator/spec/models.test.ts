import { describe, expect, it } from 'vitest';
import { explore, models } from './models.ts';

/** Fewer would say that a guard lets nothing happen. */
const STATES_MIN = 500;

describe.each(models)('the model $name ($rule)', (model) => {
  it('holds its invariants in every state within small bounds', { timeout: 120_000 }, () => {
    const { states, broken } = explore(model, model.small);
    expect(broken).toBe(null);
    expect(states).toBeGreaterThan(STATES_MIN);
  });

  it('is not held by nothing happening', { timeout: 120_000 }, () => {
    const { broken } = explore({ ...model, invariants: [model.vacuous] }, model.small);
    expect(broken?.invariant).toBe(model.vacuous);
  });

  it.each(model.broken)('fails when $why', { timeout: 120_000 }, ({ bounds, ...change }) => {
    expect(explore(model, bounds, change).broken).not.toBe(null);
  });
});
