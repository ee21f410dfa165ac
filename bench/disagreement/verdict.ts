/** Whether rounds of the disagreement benchmark stayed within their bounds, and the table that says so. */
import { summarize } from '../statistics.ts';
import { textTable } from '../../scripts/text-table.ts';
import { clusters, type ClusterName } from './clusters.ts';
import type { Sample } from './rounds.ts';
import type { Limit } from './rows.ts';

/** One row on one cluster, as it is kept. */
export interface ResultRow {
  readonly row: string;
  readonly cluster: ClusterName;
  readonly measure: string;
  readonly limit: Limit;
  /** When, and of what commit: rows may be measured one by one. */
  readonly at: string;
  readonly commit: string;
  readonly samples: readonly Sample[];
}

/** Of a chain that did not go on in time nothing is within any bound; nor where something was broken. */
export function isWithin(
  { ms, thenMs, faults }: Sample,
  { atMostMs = Infinity, thenAtMostMs = Infinity }: Limit,
): boolean {
  if (ms === null || thenMs === null || faults.length > 0) return false;
  return ms <= atMostMs && (thenMs ?? 0) <= thenAtMostMs;
}

/** A round in words. */
export function told({ ms, thenMs, moves, restarts, recovers, faults }: Sample): string {
  const time = (value: number | null): string => (value === null ? 'never' : `${value} ms`);
  const then = thenMs === undefined ? '' : `, then ${time(thenMs)}`;
  const broken = faults.map((fault) => `; BROKEN: ${fault}`).join('');
  const asked = restarts === 0 ? '' : `, ${restarts} restarted by alarm`;
  const end = recovers ? '' : ', needs a fresh net';
  return `${time(ms)}${then}, leadership moved ${moves} ${moves === 1 ? 'time' : 'times'}${asked}${end}${broken}`;
}

/** All rows: rounds, times, leadership's moves and whether the bound held. */
export function tableOf(results: readonly ResultRow[]): string {
  const header = [
    'row',
    'cluster',
    'rounds',
    'min',
    'median',
    'max',
    'bound',
    'then max',
    'bound',
    'moves',
    'recovers',
    '',
  ];
  const cells = [header, ...results.map(cellsOf)];
  return textTable(cells, (column) => column >= 2).join('\n');
}

function cellsOf({ row, cluster, limit, samples }: ResultRow): string[] {
  const times = summarize(samples.map(({ ms }) => ms ?? Infinity));
  const thens = samples.flatMap(({ thenMs }) => (thenMs === undefined ? [] : [thenMs ?? Infinity]));
  const within = samples.filter((sample) => isWithin(sample, limit)).length;
  const isBound = limit.atMostMs !== undefined;
  const fault = samples.flatMap(({ faults }) => faults)[0];
  const verdict = isBound ? `${within === samples.length ? 'pass' : 'FAIL'}: ${within} of ${samples.length}` : '';
  return [
    ...[row, clusters[cluster].title, String(samples.length)],
    ...[times.min, times.p50, times.max].map(shown),
    isBound ? `≤ ${limit.atMostMs}` : '',
    thens.length === 0 ? '' : shown(Math.max(...thens)),
    limit.thenAtMostMs === undefined ? '' : `≤ ${limit.thenAtMostMs}`,
    String(Math.max(...samples.map(({ moves }) => moves))),
    `${samples.filter(({ recovers }) => recovers).length} of ${samples.length}`,
    fault === undefined ? verdict : `${verdict} BROKEN: ${fault}`.trim(),
  ];
}

function shown(ms: number): string {
  return Number.isFinite(ms) ? String(Math.round(ms)) : 'never';
}
