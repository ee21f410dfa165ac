/** What many histories were together, for a reader and for bench/results/histories.json. */
import { faultKinds, type FaultKind } from './faults.ts';
import type { Verdict } from './judge.ts';
import type { Played } from './play.ts';

/** One history with its verdict. */
export interface Judged {
  readonly played: Played;
  readonly verdict: Verdict;
}

/** As it is kept; a page is made from it. */
export interface HistoriesReport {
  readonly histories: number;
  /** Of five servers; the others had three. */
  readonly ofFive: number;
  readonly calls: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  /** How often each fault was done. */
  readonly faults: Readonly<Record<FaultKind, number>>;
  /** Histories in which each law did not hold, or was not decided in time; and those that could not be played. */
  readonly notKept: Readonly<Record<string, number>>;
  readonly unplayed: readonly { readonly seed: number; readonly why: string }[];
  /** Longest time that the judge took, in milliseconds. */
  readonly judgeMsMax: number;
  readonly minutes: number;
  /** First and last seed of the unbroken rows that were played. */
  readonly seeds: readonly (readonly [first: number, last: number])[];
}

export function reportOf(judged: readonly Judged[], unplayed: HistoriesReport['unplayed']): HistoriesReport {
  const sum = (of: (one: Judged) => number): number => judged.reduce((total, one) => total + of(one), 0);
  const faults = judged.flatMap(({ played }) => played.faults);
  const lawNames = [...new Set(judged.flatMap(({ verdict }) => Object.keys(verdict.laws)))].toSorted();
  const brokenBy = (law: string): number =>
    judged.filter(({ verdict }) => verdict.laws[law as keyof Verdict['laws']] !== 'Ok').length;
  return {
    histories: judged.length,
    ofFive: judged.filter(({ played }) => played.servers === 5).length,
    calls: sum(({ verdict }) => verdict.calls),
    acknowledged: sum(({ played }) => played.acknowledged),
    refused: sum(({ played }) => played.refused),
    unknown: sum(({ played }) => played.unknown),
    reads: sum(({ played }) => played.reads),
    faults: Object.fromEntries(
      faultKinds.map((kind) => [kind, faults.filter((one) => one.kind === kind).length]),
    ) as Record<FaultKind, number>,
    notKept: Object.fromEntries(lawNames.map((law) => [law, brokenBy(law)])),
    unplayed,
    judgeMsMax: Math.max(0, ...judged.map(({ verdict }) => verdict.milliseconds)),
    minutes: sum(({ played }) => played.seconds) / 60,
    seeds: rowsOf(judged.map(({ played }) => played.seed)),
  };
}

/** Both reports as one, of the same code: seeds of both, sums of all else. */
export function merged(a: HistoriesReport, b: HistoriesReport): HistoriesReport {
  const added = <K extends string>(x: Readonly<Record<K, number>>, y: Readonly<Record<K, number>>): Record<K, number> =>
    Object.fromEntries(
      [...new Set([...Object.keys(x), ...Object.keys(y)])].map((key) => [key, (x[key as K] ?? 0) + (y[key as K] ?? 0)]),
    ) as Record<K, number>;
  const { histories, ofFive, calls, acknowledged, refused, unknown, reads, minutes } = added(
    numbersOf(a),
    numbersOf(b),
  );
  return {
    ...{ histories, ofFive, calls, acknowledged, refused, unknown, reads, minutes },
    faults: added(a.faults, b.faults),
    notKept: added(a.notKept, b.notKept),
    unplayed: [...a.unplayed, ...b.unplayed],
    judgeMsMax: Math.max(a.judgeMsMax, b.judgeMsMax),
    seeds: [...a.seeds, ...b.seeds].toSorted(([x], [y]) => x - y),
  };
}

function numbersOf({ histories, ofFive, calls, acknowledged, refused, unknown, reads, minutes }: HistoriesReport) {
  return { histories, ofFive, calls, acknowledged, refused, unknown, reads, minutes };
}

/** Ascending numbers as rows without gaps. */
function rowsOf(seeds: readonly number[]): [number, number][] {
  const rows: [number, number][] = [];
  for (const seed of seeds.toSorted((a, b) => a - b)) {
    const last = rows.at(-1);
    if (last !== undefined && last[1] + 1 === seed) last[1] = seed;
    else rows.push([seed, seed]);
  }
  return rows;
}

/** Lines for a terminal. */
export function describeReport(report: HistoriesReport): string {
  const { histories, ofFive, calls, acknowledged, refused, unknown, reads, faults, unplayed } = report;
  const done = Object.entries(faults).map(([kind, times]) => `${kind} ${times}`);
  return [
    `${histories} histories, ${ofFive} of them with five servers, in ${report.minutes.toFixed(1)} minutes`,
    `${calls} calls: ${acknowledged} blocks acknowledged, ${refused} refused, ${unknown} without an answer, ${reads} told of the chain`,
    `faults: ${done.join(', ')}`,
    ...Object.entries(report.notKept).map(
      ([law, times]) => `${law}: ${times === 0 ? 'kept in all' : `not kept in ${times}`}`,
    ),
    ...unplayed.map(({ seed, why }) => `seed ${seed} was not played to its end: ${why}`),
  ].join('\n');
}
