/** The rules as Prometheus reads them, and each alert with what must wake somebody and what must not. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { monitoringFiles } from '../monitoring-files.ts';
import { needPromtool, runPromtool } from './promtool.ts';

/** The first time it is built. */
const timeoutMs = 30 * 60_000;
const folder = import.meta.dirname;
const files = readdirSync(join(folder, 'tests'));

test('promtool takes the rules, for other labels of clusters, too', { timeout: timeoutMs }, async (context) => {
  const promtool = await needPromtool();
  if ('missing' in promtool) return context.skip(promtool.missing);
  const other = mkdtempSync(join(tmpdir(), 'conductor-rules-'));
  onTestFinished(() => rmSync(other, { recursive: true }));
  const path = join(other, 'rules.yaml');
  await Bun.write(path, monitoringFiles('chain').get('prometheus/conductor.rules.yaml') as string);
  for (const rules of [join(folder, 'conductor.rules.yaml'), path]) {
    const { code, said } = await runPromtool(promtool.path, ['check', 'rules', '--lint=all', '--lint-fatal', rules]);
    expect(code, said).toBe(0);
  }
});

test.for(files)('rule tests of %s', { timeout: timeoutMs }, async (name, context) => {
  const promtool = await needPromtool();
  if ('missing' in promtool) return context.skip(promtool.missing);
  const { code, said } = await runPromtool(promtool.path, ['test', 'rules', join(folder, 'tests', name)]);
  expect(code, said).toBe(0);
});
