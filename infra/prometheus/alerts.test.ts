import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricTable } from '#conductor/core/metrics';
import { referenceMistakes } from '../metric-references.ts';
import { alertGroups, runbookRoute } from './alerts.ts';

const pages = join(import.meta.dirname, '../../content/pages');
const alerts = alertGroups.flatMap((group) => group.alerts.map((alert) => ({ ...alert, group })));

interface RuleTest {
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly { readonly exp_labels: { readonly job: string } }[];
  }[];
}
const ruleTests = readdirSync(join(import.meta.dirname, 'tests')).flatMap(
  (name) => (parse(readFileSync(join(import.meta.dirname, 'tests', name), 'utf8')) as { tests: RuleTest[] }).tests,
);

test('names are unique, and every kind of alarm has an alert', () => {
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  const kinds = metricTable.find(({ name }) => name === 'alarms_total')?.known ?? [];
  expect(kinds.length).toBeGreaterThan(0);
  for (const kind of kinds) expect(alerts.filter(({ expr }) => expr.includes(`{kind="${kind}"}`))).toHaveLength(1);
});

test('a counter whose rise wakes somebody is on the page before it rises', () => {
  /** Begun by the gate of admin calls, where there are credentials; and counted every second, for as long as it is so. */
  const begunElsewhere = ['admin_calls_total', 'healthchecks_count'];
  const rising = alerts.flatMap(({ expr }) => [...expr.matchAll(/increase\(op_conductor_(\w+)/g)]);
  expect(rising.length).toBeGreaterThan(10);
  for (const [, name = ''] of rising) {
    const { labels = [], known = [] } = metricTable.find((one) => one.name === name) ?? {};
    expect(labels.length === 0 || known.length > 0 || begunElsewhere.includes(name), name).toBe(true);
  }
});

describe.each(alerts)('$name', ({ name, expr, summary, severity, for: duration, group }) => {
  test('names only metrics and labels that there are', () => {
    const shown = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label as string);
    expect(referenceMistakes(expr, shown)).toEqual([]);
  });

  test('says in a sentence what is wrong, how bad it is and after what time', () => {
    expect(name).toMatch(/^Conductor[A-Z][A-Za-z]+$/);
    expect(summary).toMatch(/^[^\n]{30,160}\.$/);
    expect(['critical', 'warning']).toContain(severity);
    expect(duration).toMatch(/^\d+[smhd]$/);
  });

  test('has a section in the runbooks', () => {
    const page = readFileSync(join(pages, `${runbookRoute(group)}.mdx`), 'utf8');
    const sections = page.split(/^## /m);
    const section = sections.find((text) => text.startsWith(`${name}\n`)) ?? '';
    expect(section.split(/\s+/).length, 'words of the section').toBeGreaterThan(40);
    expect(section).toContain('It is over when');
  });

  test('has a rule test in which it fires for one cluster, stays quiet for another, and was quiet before', () => {
    const all = ruleTests.flatMap((one) =>
      one.alert_rule_test.filter(({ alertname }) => alertname === name).map((check) => ({ ...one, ...check })),
    );
    expect(all.filter(({ exp_alerts: expected }) => expected.length === 0).length).toBeGreaterThan(0);
    // One in which there are no conductors at all has no clusters either.
    const firing = all.filter(
      ({ exp_alerts: expected, input_series: series }) =>
        expected.length > 0 && series.some((one) => one.series.startsWith('op_conductor_')),
    );
    expect(firing.length).toBeGreaterThan(0);
    for (const { exp_alerts: expected, input_series: series } of firing) {
      expect(expected.map(({ exp_labels: labels }) => labels.job)).toEqual(['bad']);
      expect(series.some((one) => one.series.includes('job="good"'))).toBe(true);
    }
  });
});
