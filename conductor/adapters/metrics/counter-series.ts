/** Counts of one counter family by label set, kept as plain numbers until somebody looks. */
import { assert } from '#conductor/core/assert';
import { LabelSets, type Labels } from './label-sets.ts';

interface Series {
  readonly labels: Labels;
  pending: number;
}

export class CounterSeries {
  readonly #sets = new LabelSets<Series>((labels) => ({ labels, pending: 0 }));

  /** Adds to the series of these labels; a counter never falls. */
  add(labels: Labels, by: number): void {
    assert(by >= 0, 'a count is added to');
    this.#sets.of(labels).pending += by;
  }

  /** Hands over what was added since the last time, zero included: a series that was begun is shown. */
  flush(take: (labels: Labels, by: number) => void): void {
    for (const series of this.#sets.all()) {
      take(series.labels, series.pending);
      series.pending = 0;
    }
  }
}
