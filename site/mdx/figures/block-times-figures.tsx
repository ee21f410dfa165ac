/** Six figures of the study of block times: one per run, and the histogram of the fullest blocks. */
import { BlockTimesDrawing } from './BlockTimesDrawing.tsx';
import { BlockTimesHistogram } from './BlockTimesHistogram.tsx';
import { grouped, histogram, histogramGroup, histogramRun, nameOf, runs, slowerThan, tableOf } from './block-times.ts';
import type { FigureEntry } from './figure-entry.ts';

/** `block-times-1` to `block-times-5`, and `block-times-histogram`. */
export const blockTimesFigures: Readonly<Record<string, FigureEntry>> = {
  ...Object.fromEntries(
    runs.map((run, at) => [
      `block-times-${at + 1}`,
      {
        title: `Build times of run ${at + 1}`,
        text: `Run ${at + 1}: ${nameOf(run)}.`,
        table: tableOf(run),
        Drawing: () => <BlockTimesDrawing run={run} />,
      },
    ]),
  ),
  'block-times-histogram': {
    title: `Histogram of the fullest blocks of run ${histogram.run}`,
    text: `Run ${histogram.run}, blocks of 25 to 30 million gas: most take 0.3 to 0.6 seconds. The tail has two humps, near 2 and near 3 seconds.`,
    table: {
      caption: `The tail of run ${histogram.run}: ${nameOf(histogramRun)}, 25 to 30 million gas`,
      columns: ['Longer than', 'Blocks', 'Share'],
      rows: ([1, 2] as const).map((seconds) => [
        `${seconds} s`,
        grouped(slowerThan(seconds, histogramGroup)),
        `${((slowerThan(seconds, histogramGroup) / histogramGroup.count) * 100).toFixed(1)} %`,
      ]),
    },
    Drawing: BlockTimesHistogram,
  },
};
