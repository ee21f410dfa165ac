/**
 * Who passes op-conductor's own tests: from bench/results/upstream.json (`npm run bench -- upstream`), a row per test and a
 * column per cluster. Nobody types these numbers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { code, prose, table } from './mdx-text.ts';

const RESULTS_FILE = join(import.meta.dirname, '../../../bench/results/upstream.json');

interface Row {
  readonly test: string;
  /** In words. */
  readonly cluster: string;
  readonly at: string;
  readonly rounds: number;
  readonly passed: number;
  readonly messages: readonly string[];
}

/** In the order in which tests and clusters are to be told. */
function readRows(): readonly Row[] {
  if (!existsSync(RESULTS_FILE)) return [];
  return (JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as { readonly results: readonly Row[] }).results;
}

/** A table, the days it was made on, and what was said where something did not pass. */
const results: Generator = () => {
  const rows = readRows();
  if (rows.length === 0) return 'They were not played yet.';
  const tests = [...new Set(rows.map(({ test }) => test))];
  const clusters = [...new Set(rows.map(({ cluster }) => cluster))];
  const of = (test: string, cluster: string): Row | undefined =>
    rows.find((row) => row.test === test && row.cluster === cluster);
  const lines = tests.map((test) => [code(test), ...clusters.map((cluster) => passed(of(test, cluster)))]);
  const days = [...new Set(rows.map(({ at }) => at.slice(0, 10)))].toSorted().join(', ');
  const told = `Rounds passed, each on a fresh net, by ${code('npm run bench -- upstream')}, ${days}.`;
  return [told, table(['Test', ...clusters.map(capital)], lines), ...failures(rows)].join('\n\n');
};

function passed(row: Row | undefined): string {
  return row === undefined ? 'not played' : `${row.passed} of ${row.rounds}`;
}

function failures(rows: readonly Row[]): string[] {
  const failed = rows.filter((row) => row.passed < row.rounds);
  if (failed.length === 0) return [];
  const lines = failed.map(({ test, cluster, messages }) => [
    code(test),
    capital(cluster),
    messages.map((message) => prose(message)).join('; '),
  ]);
  return ['What the test said where a round did not pass:', table(['Test', 'Cluster', 'What it said'], lines)];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const upstreamGenerators: Readonly<Record<string, Generator>> = { 'upstream/results': results };
