/** The rules as Prometheus reads them, and each alert with what must wake somebody and what must not. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inCluster, panelRows } from '../grafana/dashboard.ts';
import { monitoringFiles } from '../monitoring-files.ts';
import { needPromtool, runPromtool } from './promtool.ts';

/** The first time it is built. */
const timeoutMs = 30 * 60_000;
const folder = import.meta.dirname;
const files = readdirSync(join(folder, 'tests'));

function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'conductor-rules-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('promtool takes the rules, for other labels of clusters, too', { timeout: timeoutMs }, async (context) => {
  const promtool = await needPromtool();
  if ('missing' in promtool) return context.skip(promtool.missing);
  const path = join(temporaryFolder(), 'rules.yaml');
  await Bun.write(path, monitoringFiles('chain').get('prometheus/conductor.rules.yaml') as string);
  for (const rules of [join(folder, 'conductor.rules.yaml'), path]) {
    const { code, said } = await runPromtool(promtool.path, ['check', 'rules', '--lint=all', '--lint-fatal', rules]);
    expect(code, said).toBe(0);
  }
});

test('every query of the dashboard is PromQL', { timeout: timeoutMs }, async (context) => {
  const promtool = await needPromtool();
  if ('missing' in promtool) return context.skip(promtool.missing);
  const expressions = panelRows
    .flatMap(({ panels }) => panels.flatMap(({ queries }) => queries))
    .map(({ expr }) => inCluster(expr, 'job').replaceAll('$cluster', 'a'));
  const rules = expressions.map((expr, index) => ({ record: `query_${index}`, expr }));
  const path = join(temporaryFolder(), 'queries.yaml');
  await Bun.write(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { code, said } = await runPromtool(promtool.path, ['check', 'rules', path]);
  expect(code, said).toBe(0);
  expect(said).toContain(`${expressions.length} rules found`);
});

test.for(files)('rule tests of %s', { timeout: timeoutMs }, async (name, context) => {
  const promtool = await needPromtool();
  if ('missing' in promtool) return context.skip(promtool.missing);
  const { code, said } = await runPromtool(promtool.path, ['test', 'rules', join(folder, 'tests', name)]);
  expect(code, said).toBe(0);
});
