import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricTable } from '#conductor/metrics';
import { createMetrics, labelSetsMax } from './prometheus.ts';

const root = join(import.meta.dirname, '..');
const typeOf = { count: 'counter', gauge: 'gauge', observe: 'histogram' } as const;

test('every metric named in the code is in the table, with its type and labels', () => {
  let found = 0;
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('test') || file.includes('node_modules')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, call, name] of text.matchAll(/[mM]etrics\??\.(count|gauge|observe)\('([a-z_]+)'/g)) {
      found += 1;
      const family = metricTable.find((one) => one.name === name);
      expect(family?.type, `${name} in ${file}`).toBe(typeOf[call as keyof typeof typeOf]);
    }
  }
  expect(found).toBeGreaterThan(20);
});

test("op-conductor's families keep their names, types, labels and buckets", () => {
  const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
  const file = JSON.parse(readFileSync(join(folder, 'metrics.json'), 'utf8')) as {
    metrics: { name: string; type: string; labels: string[]; buckets: string[] | null }[];
  };
  for (const theirs of file.metrics) {
    const ours = metricTable.find((one) => `op_conductor_${one.name}` === theirs.name);
    expect(ours?.type, theirs.name).toBe(theirs.type);
    expect([...(ours?.labels ?? [])].toSorted(), theirs.name).toEqual(theirs.labels);
    if (theirs.buckets !== null)
      expect([...(ours?.buckets ?? []).map(String), '+Inf'], theirs.name).toEqual(theirs.buckets);
  }
});

test('the page has the values, and label sets are bounded', async () => {
  const metrics = createMetrics('v9');
  metrics.count('healthchecks_count', { success: 'false', error: 'sequencer is not healthy' }, 2);
  for (let each = 0; each < labelSetsMax + 50; each += 1)
    metrics.count('payloads_refused_total', { reason: `r${each}` });
  const page = await metrics.page();
  expect(page).toContain('op_conductor_info{version="v9"} 1');
  expect(page).toContain('op_conductor_healthchecks_count{success="false",error="sequencer is not healthy"} 2');
  expect(page.match(/payloads_refused_total\{/g)).toHaveLength(labelSetsMax + 1);
  expect(page).toContain('payloads_refused_total{reason="other"} 50');
});
