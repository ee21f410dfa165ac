/** Ratios of two sides measured in the same rounds: what stays comparable when the machine does not stay the same. */
import { median } from '../statistics.ts';

/** "median (lowest–highest)" of `ours` divided by `theirs`, round by round. */
export function pairedRatio<T>(ours: readonly T[], theirs: readonly T[], value: (one: T) => number): string {
  const rounds = Math.min(ours.length, theirs.length);
  const ratios = Array.from({ length: rounds }, (_, at) => value(ours[at] as T) / value(theirs[at] as T));
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return `${median(ratios).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
