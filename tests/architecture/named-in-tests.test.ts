/**
 * What callers, dashboards and operators know by name is named by a test: every method, metric and health check. A name that no test has is
 * one whose answer may change, or whose counting may stop, and nobody sees it. Recorded data is not looked at.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthChecks } from '#conductor/core/health/checks';
import { metricTable } from '#conductor/core/metrics';
import { methodTable } from '#conductor/core/rpc/methods';

const root = join(import.meta.dirname, '..', '..');
const self = 'tests/architecture/named-in-tests.test.ts';
const texts = globSync('{conductor,tests,simulator,infra}/**/*.test.ts', { cwd: root })
  .filter((file) => file !== self)
  .map((file) => readFileSync(join(root, file), 'utf8'));

interface Table {
  readonly file: string;
  readonly rows: readonly { readonly name: string }[];
  readonly advice: string;
}
const methods: Table = {
  file: 'conductor/core/rpc/methods.ts',
  rows: methodTable,
  advice: 'add a test that calls it and says what is answered, beside the file that answers it',
};
const metrics: Table = {
  file: 'conductor/core/metrics.ts',
  rows: metricTable,
  advice: 'add a test that sees it counted, set or observed, beside the file that does it',
};
const checks: Table = {
  file: 'conductor/core/health/checks.ts',
  rows: healthChecks,
  advice: 'add a test that answers it badly and says what the verdict is, to conductor/core/health/checks.test.ts',
};

/** What a round finds wrong, as it is told: the longest part of each sentence of a file that is always the same. */
function findingsOf(file: string): Table {
  const said = readFileSync(join(root, file), 'utf8').matchAll(/\bunhealthy\((['`])(.*?)\1/gs);
  const fixed = [...said].map(
    ([, , text]) => (text as string).split(/\$\{[^}]*\}/).toSorted((a, b) => b.length - a.length)[0]!,
  );
  const rows = fixed.map((text) => ({ name: text.trim() }));
  return {
    file,
    rows,
    advice: 'add a test in which this is what a round finds, to conductor/core/health/checks.test.ts',
  };
}

/** Whether a text has the name as a word of its own; a page of metrics has a prefix, and suffixes for histograms. */
function names(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const word = name.replaceAll('.', String.raw`\.`);
  return new RegExp(String.raw`(?<![\w.])(op_conductor_)?${word}(_bucket|_sum|_count)?(?!\w)`).test(text);
}

/** A sentence for each name of a table that no test has. */
function unnamed({ file, rows, advice }: Table): string[] {
  const lost = rows.filter(({ name }) => !texts.some((text) => names(text, name)));
  return lost.map(({ name }) => `no test names ${name}, a row of ${file}: ${advice}`);
}

test.each([methods, metrics, checks])('every row of $file is named by a test', (table) => {
  expect(texts.length).toBeGreaterThan(300);
  expect(unnamed(table)).toEqual([]);
});

test('a name that no test has is told, with its table and what to do; part of a longer name is none', () => {
  const rows = [{ name: 'conductor_leader' }, { name: 'conductor_madeUp' }];
  expect(unnamed({ ...methods, rows })).toEqual([expect.stringMatching(/conductor_madeUp.*methods\.ts: add a test/)]);
  expect(names("'voter_validations_total n2'", 'validations_total')).toBe(false);
  expect(names('op_conductor_validations_total{', 'validations_total')).toBe(true);
});

test('every sentence about an unhealthy node is in a test', () => {
  const findings = findingsOf('conductor/core/health/checks.ts');
  expect(findings.rows.length).toBeGreaterThan(10);
  const unsaid = findings.rows.filter(({ name }) => !texts.some((text) => text.includes(name)));
  expect(unsaid.map(({ name }) => `no test has “${name}”, which ${findings.file} says: ${findings.advice}`)).toEqual(
    [],
  );
});
