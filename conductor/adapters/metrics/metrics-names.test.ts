import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricTable, type MetricLabels } from '#conductor/core/metrics';
import type { Metrics } from '#conductor/core/ports';
import { labelSetsMax } from './label-sets.ts';
import { createMetrics } from './prometheus.ts';

const root = join(import.meta.dirname, '..', '..');
const callOf = { counter: 'count', gauge: 'gauge', histogram: 'observe' } as const;

/** All code of the conductor but tests and the table itself. */
function* sources(): Generator<string> {
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const isCode = file.endsWith('.ts') && !file.includes('test') && !file.includes('core/metrics');
    if (isCode) yield readFileSync(join(root, file), 'utf8');
  }
}

/** Families of a table that no code records, in its own way. A name or label that is in no table does not compile. */
function unrecorded(table: readonly { readonly name: string; readonly type: keyof typeof callOf }[]): string[] {
  const recorded = new Set<string>();
  for (const text of sources())
    for (const [, call, name] of text.matchAll(/\.(count|gauge|observe)\(\s*'([a-z_]+)'/g))
      recorded.add(`${call} ${name}`);
  return table.filter(({ name, type }) => !recorded.has(`${callOf[type]} ${name}`)).map(({ name }) => name);
}

test('every family of the table is recorded by the code', () => {
  const idle = unrecorded(metricTable);
  expect(idle.map((name) => `no code counts, sets or observes ${name}: do it where it happens`)).toEqual([]);
  const planted = [
    { name: 'nobody_counts_this_total', type: 'counter' },
    { name: 'raft_term', type: 'counter' },
    { name: 'raft_term', type: 'gauge' },
  ] as const;
  expect(unrecorded(planted)).toEqual(['nobody_counts_this_total', 'raft_term']);
});

test('a name that the table does not have does not compile, nor does a label; were it to get past that, nothing is shown', async () => {
  const metrics = createMetrics('v9');
  // @ts-expect-error: no such family
  metrics.count('raft_termite');
  // @ts-expect-error: a gauge is not counted
  metrics.count('raft_term');
  // @ts-expect-error: it has no labels
  metrics.gauge('raft_applied_index', 3, {});
  // @ts-expect-error: its label is missing
  const missing: Parameters<Metrics['gauge']> = ['raft_peer_lag_entries', 3];
  // @ts-expect-error: its label is `reason`
  const wrong: MetricLabels['payloads_refused_total'] = { cause: 'gap' };
  metrics.count('payloads_refused_total', { reason: 'gap' });
  const page = await metrics.page();
  expect(page).not.toMatch(/raft_termite|^op_conductor_raft_term /m);
  expect(page).toContain('payloads_refused_total{reason="gap"} 1');
  expect([missing.length, Object.keys(wrong)]).toEqual([2, ['cause']]);
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
  for (const text of sources()) {
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

test('memory, processor time, start and descriptors of the process have the usual names', async () => {
  const page = await createMetrics('v9').page();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(Math.abs(value('process_start_time_seconds') + process.uptime() - Date.now() / 1000)).toBeLessThan(60);
  if (!existsSync('/proc/self/fd')) return;
  expect(value('process_open_fds')).toBeGreaterThan(2);
  expect(value('process_max_fds')).toBeGreaterThan(value('process_open_fds'));
});
