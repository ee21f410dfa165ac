import { Histogram, Registry } from '@prometheus-io/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelSetsMax } from './label-sets.ts';
import { SeriesHistogram } from './series-histogram.ts';

const bounds = [0.1, 1, 10];
const described = { name: 'seconds', help: 'How long' };

test('the page is the one that the library makes of the same observations', async () => {
  const observation = fc.record({
    method: fc.constantFrom('a', 'b "quoted"', 'c'),
    value: fc.oneof(fc.constantFrom(0, 0.1, 1, 10, 11), fc.integer({ min: 0, max: 20 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 30 }), fc.boolean(), async (observations, hasLabels) => {
      const labelNames = hasLabels ? ['rpc', 'method'] : [];
      const [ours, theirs] = [new Registry(), new Registry()];
      const series = new SeriesHistogram({ ...described, labelNames, registers: [ours] }, bounds);
      const library = new Histogram({ ...described, labelNames, buckets: bounds, registers: [theirs] });
      for (const { method, value } of observations) {
        const labels = hasLabels ? { rpc: 'main', method } : {};
        series.record(labels, value);
        library.observe(labels, value);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

test('label sets are bounded', async () => {
  const registry = new Registry();
  const series = new SeriesHistogram({ ...described, labelNames: ['method'], registers: [registry] }, bounds);
  for (let each = 0; each < labelSetsMax + 50; each += 1) series.record({ method: `m${each}` }, 1);
  const page = await registry.metrics();
  expect(page.match(/^seconds_count\{/gm)).toHaveLength(labelSetsMax + 1);
  expect(page).toContain('seconds_count{method="other"} 50');
});

test('what is no number is not observed', () => {
  const series = new SeriesHistogram({ ...described, registers: [] }, bounds);
  expect(() => series.record({}, Number.NaN)).toThrow('what is observed is a number');
});
