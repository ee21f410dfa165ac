/**
 * From measured numbers to a verdict: what a goal demands is data (goals.ts), what was measured comes from the
 * kept results, and here the two are put beside each other. Nothing is judged that was not measured.
 */
import { median } from './statistics.ts';

/** Numbers of one quantity, one per round or sample, ours and, where it was measured, op-conductor's. */
export interface Reading {
  readonly ours: readonly number[];
  readonly theirs?: readonly number[];
  /** What went wrong while measuring, for example a refused block; then nothing is judged to hold. */
  readonly fault?: string;
}

/**
 * What is compared with the bound. `ratio`: ours by theirs, round by round. `ratio-of-medians`: for samples that are
 * not taken in pairs. `ours`: the median of our own numbers. `our-worst`: the largest of them.
 */
export type Figure = 'ratio' | 'ratio-of-medians' | 'ours' | 'our-worst';

export interface Bound {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Judged {
  /** 'told' for a figure without a demand, 'unknown' where it was not measured. */
  readonly verdict: 'holds' | 'falls short' | 'told' | 'unknown';
  /** The figure, and the lowest and highest of its rounds; NaN where it was not measured. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Medians of the sides; NaN where a side was not measured. */
  readonly ours: number;
  readonly theirs: number;
  /** Why there is no verdict, or what went wrong. */
  readonly remark: string;
}

const NOTHING = { value: Number.NaN, low: Number.NaN, high: Number.NaN };

/** Judges one reading; null stands for results that are not there. */
export function judge(figure: Figure, bound: Bound, reading: Reading | null): Judged {
  const ours = median(reading?.ours ?? []);
  const theirs = median(reading?.theirs ?? []);
  const unknown = (remark: string): Judged => ({ verdict: 'unknown', ...NOTHING, ours, theirs, remark });
  if (reading === null) return unknown('not measured');
  const isRatio = figure === 'ratio' || figure === 'ratio-of-medians';
  if (isRatio && (reading.theirs ?? []).length === 0) return unknown('op-conductor was not measured');
  if (reading.ours.length === 0 && reading.fault === undefined) return unknown('not measured');
  if (reading.ours.length === 0) return { ...unknown(reading.fault ?? ''), verdict: 'falls short' };
  const spread = spreadOf(figure, reading.ours, reading.theirs ?? []);
  const { atMost, atLeast } = bound;
  const isWithin = spread.value <= (atMost ?? Infinity) && spread.value >= (atLeast ?? -Infinity);
  const isDemanded = atMost !== undefined || atLeast !== undefined;
  const verdict = !isDemanded ? 'told' : isWithin && reading.fault === undefined ? 'holds' : 'falls short';
  return { verdict, ...spread, ours, theirs, remark: reading.fault ?? '' };
}

function spreadOf(
  figure: Figure,
  ours: readonly number[],
  theirs: readonly number[],
): { readonly value: number; readonly low: number; readonly high: number } {
  const numbers = figure === 'ratio' ? ratiosOf(ours, theirs) : ours;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  switch (figure) {
    case 'ratio':
    case 'ours':
      return { value: median(numbers), low, high };
    case 'our-worst':
      return { value: high, low, high };
    case 'ratio-of-medians': {
      const theirMedian = median(theirs);
      return { value: median(ours) / theirMedian, low: low / theirMedian, high: high / theirMedian };
    }
  }
}

function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  const rounds = Math.min(ours.length, theirs.length);
  return Array.from({ length: rounds }, (_, at) => (ours[at] as number) / (theirs[at] as number));
}
