import { describe, expect, it } from 'vitest';
import { explore, models } from './models.ts';

const HOUR_MS = 3_600_000;

describe.each(models)('the model $name ($rule)', (model) => {
  it('holds its invariants in every state within large bounds', { timeout: HOUR_MS }, () => {
    expect(explore(model, model.large).broken).toBe(null);
  });
});

const long = models.flatMap((model) =>
  model.broken.filter(({ isLong }) => isLong).map((change) => ({ model, change })),
);

it.each(long)('$model.name fails when $change.why', { timeout: HOUR_MS }, ({ model, change }) => {
  expect(explore(model, change.bounds, change).broken).not.toBe(null);
});
