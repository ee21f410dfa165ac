import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricTable } from '#conductor/core/metrics';
import { labelSetsMax } from './counter-series.ts';
import { createMetrics } from './prometheus.ts';

const root = join(import.meta.dirname, '..', '..');
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
  for (let each = 0; each < labelSetsMax + 50; each += 1) metrics.count('http_rejected_total', { status: `r${each}` });
  const page = await metrics.page();
  expect(page).toContain('op_conductor_info{version="v9"} 1');
  expect(page).toContain('op_conductor_healthchecks_count{success="false",error="sequencer is not healthy"} 2');
  expect(page.match(/http_rejected_total\{/g)).toHaveLength(labelSetsMax + 1);
  expect(page).toContain('http_rejected_total{status="other"} 50');
});

test('every kind of alarm that the code raises is on the page from the start, at 0', async () => {
  const page = await createMetrics('v9').page();
  const kinds = new Set<string>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('test')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, kind] of text.matchAll(/(?:\.alarm\(\s*|alarms_total', \{ kind: )'([a-z-]+)'/g))
      kinds.add(kind as string);
  }
  expect(kinds.size).toBeGreaterThan(4);
  for (const kind of kinds) expect(page).toContain(`op_conductor_alarms_total{kind="${kind}"} 0`);
});

test("a gauge of ours that was never set is not on the page; op-conductor's are, at 0", async () => {
  const metrics = createMetrics('v9');
  expect(await metrics.page()).not.toMatch(/^op_conductor_tls_certificate_expiry_seconds /m);
  expect(await metrics.page()).toMatch(/^op_conductor_up 0$/m);
  metrics.gauge('tls_certificate_expiry_seconds', 7);
  expect(await metrics.page()).toMatch(/^op_conductor_tls_certificate_expiry_seconds 7$/m);
});

test('label sets of a gauge can be forgotten', async () => {
  const metrics = createMetrics('v9');
  metrics.gauge('raft_peer_lag_entries', 3, { peer: 'b' });
  metrics.clear('raft_peer_lag_entries');
  metrics.gauge('raft_peer_lag_entries', 4, { peer: 'c' });
  expect(await metrics.page()).toMatch(/lag_entries\{peer="c"\} 4/);
  expect(await metrics.page()).not.toContain('peer="b"');
});

test('memory, processor time and start of the process have the usual names', async () => {
  const page = await createMetrics('v9').page();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(Math.abs(value('process_start_time_seconds') + process.uptime() - Date.now() / 1000)).toBeLessThan(60);
});
