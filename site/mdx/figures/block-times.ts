/**
 * How long blocks of Base took to build, run by run and by the gas that they used: content/data/block-times.json, the
 * tables of the study's own notebook. The drawings take their numbers from here, and so do the tables below them.
 */
import data from '../../../content/data/block-times.json';
import type { FigureTable } from './figure-entry.ts';

export type Run = (typeof data.runs)[number];
export type Group = Run['groups'][number];

export const { runs, histogram } = data;

/** The run and the group of blocks that the histogram counts. */
export const histogramRun = runs[histogram.run - 1]!;
export const histogramGroup = histogramRun.groups.find(
  ({ gasAboveMillions, gasUpToMillions }) =>
    gasAboveMillions === histogram.gasAboveMillions && gasUpToMillions === gasAboveMillions + 5,
)!;

/** "op-geth, archive node, blocks 5 492 540 to 9 816 497". */
export function nameOf({ client, node, firstBlock, lastBlock }: Run): string {
  return `${client}, ${node} node, blocks ${grouped(firstBlock)} to ${grouped(lastBlock)}`;
}

/** "25–30", in millions of gas; the group of all blocks is "all". */
export function gasOf({ gasAboveMillions, gasUpToMillions }: Group): string {
  return gasUpToMillions - gasAboveMillions > 5 ? 'all' : `${gasAboveMillions}–${gasUpToMillions}`;
}

/** How many blocks of a group took longer than one second, or two. */
export function slowerThan(seconds: 1 | 2, { count, percentUnder1s, percentUnder2s }: Group): number {
  return Math.round((count * (100 - (seconds === 1 ? percentUnder1s : percentUnder2s))) / 100);
}

export function tableOf(run: Run): FigureTable {
  return {
    caption: `Seconds per block: ${nameOf(run)}`,
    columns: [
      'Million gas',
      'Blocks',
      'Mean',
      'Median',
      '90 % below',
      '95 % below',
      '99 % below',
      'Slowest',
      'Under 1 s',
    ],
    rows: run.groups.map((group) => [
      gasOf(group),
      grouped(group.count),
      ...[group.mean, group.p50, group.p90, group.p95, group.p99, group.max].map((seconds) => seconds.toFixed(3)),
      `${group.percentUnder1s.toFixed(2)} %`,
    ]),
  };
}

/** Digits in threes, as the pages write numbers. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00A0');
}
