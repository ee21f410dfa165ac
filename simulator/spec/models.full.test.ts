import { describe, expect, it } from 'vitest';
import { explore, models } from './models.ts';

const HOUR_MS = 3_600_000;

describe.each(models)('the model $name ($rule)', (model) => {
  it('holds its invariants in every state within large bounds', { timeout: HOUR_MS }, () => {
    expect(explore(model, model.large).broken).toBe(null);
  });
});
