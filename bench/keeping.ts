/** Which results take the place of the kept ones in bench/results: never those of a lesser run. */
import type { BenchRun } from './options.ts';

/** Says why a run's results are put aside, as the end of a sentence; null when they are kept. */
export function whyAside(
  { isQuick, effort, leftOut, keepsAnyway }: Pick<BenchRun, 'isQuick' | 'effort' | 'leftOut' | 'keepsAnyway'>,
  keptEffort: number | null,
): string | null {
  if (keepsAnyway) return null;
  if (isQuick) return 'the run was a quick one';
  if (leftOut.length > 0) return leftOut.join('; ');
  if (keptEffort !== null && effort < keptEffort)
    return `its effort of ${effort.toFixed(2)} is below the ${keptEffort.toFixed(2)} of what is kept`;
  return null;
}
