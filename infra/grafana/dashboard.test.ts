import { expect, test } from 'vitest';
import { metricTable } from '#conductor/core/metrics';
import { referenceMistakes } from '../metric-references.ts';
import { dashboardFile, inCluster, panelRows } from './dashboard.ts';

interface Laid {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}
const model = JSON.parse(dashboardFile('job')) as { readonly panels: readonly Laid[] };
const panels = panelRows.flatMap((row) => row.panels);
const queries = panels.flatMap((panel) => panel.queries.map((query) => ({ title: panel.title, ...query })));

test.each(queries)('$title: $expr names only metrics and labels that there are', ({ expr, legend }) => {
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string);
  expect(referenceMistakes(expr, shown)).toEqual([]);
});

test('queries see the chosen cluster only', () => {
  expect(inCluster('sum by (CLUSTER) (up == 0 and on (job) op_conductor_info{version="1"})', 'chain')).toBe(
    'sum by (chain) (up{chain="$cluster"} == 0 and on (job) op_conductor_info{chain="$cluster",version="1"})',
  );
  for (const { targets = [] } of model.panels)
    for (const { expr } of targets) expect(expr).toMatch(/\{job="\$cluster"/);
});

test('panels lie within the width, none over another, each with a number of its own', () => {
  const taken = new Set<string>();
  for (const {
    gridPos: { x, y, w, h },
    title,
  } of model.panels) {
    expect(x + w, title).toBeLessThanOrEqual(24);
    for (let column = x; column < x + w; column += 1)
      for (let line = y; line < y + h; line += 1) {
        expect(taken.has(`${column} ${line}`), title).toBe(false);
        taken.add(`${column} ${line}`);
      }
  }
  expect(new Set(model.panels.map(({ id }) => id)).size).toBe(model.panels.length);
  expect(model.panels.length).toBe(panelRows.length + panels.length);
});

test('each panel says what is normal, and colours go up', () => {
  for (const { title, help, thresholds = [] } of panels) {
    expect(help, title).toMatch(/\.$/);
    const [first, ...others] = thresholds.map(({ from }) => from);
    expect(first ?? null, title).toBeNull();
    expect(others).toEqual(others.toSorted((a, b) => Number(a) - Number(b)));
  }
});

test('failures left are told only while one of ours leads: a last server without a leader hears of nobody’s silence', () => {
  const { queries: [{ expr } = { expr: '' }] = [], nothing } = panels.find(({ title }) => title === 'Failures left')!;
  expect(expr).toMatch(/^\(.*\) and \(max\(op_conductor_raft_is_leader\) == 1\)$/);
  expect(nothing).toBe('no leader of ours');
});

test('what an operator is woken for is on the board', () => {
  const shown = queries.map(({ expr }) => expr).join(' ');
  const needed =
    'raft_is_leader sequencer_active sequencer_healthy raft_term committed_block_time_seconds commit_seconds raft_peer_lag_entries failover_seconds paused leader_overridden loop_lag_seconds storage_free_bytes alarms_total info';
  for (const name of needed.split(' ')) {
    expect(
      metricTable.some((one) => one.name === name),
      name,
    ).toBe(true);
    expect(shown).toContain(`op_conductor_${name}`);
  }
  expect(shown).toContain('process_resident_memory_bytes');
});
