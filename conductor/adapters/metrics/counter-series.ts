/**
 * Counts of one counter family by label set, kept as plain numbers until somebody looks: the client library
 * checks and joins labels at every increment, which at thousands of calls per second costs more than the calls.
 */
import { assert } from '#conductor/core/assert';

export type Labels = Readonly<Record<string, string>>;

/** Distinct label sets kept per family; further ones are counted under `other`, so memory stays bounded. */
export const labelSetsMax = 500;

interface Series {
  readonly labels: Labels;
  pending: number;
}

/** Gives each label set its series; the label names of a family are always the same, in the same order. */
export class CounterSeries {
  readonly #byValues = new Map<string, Series>();
  /** Callers that pass the same object again are not asked for its values. */
  readonly #byObject = new WeakMap<Labels, Series>();
  #other: Series | null = null;

  /** Adds to the series of these labels; a counter never falls. */
  add(labels: Labels, by: number): void {
    assert(by >= 0, 'a count is added to');
    let series = this.#byObject.get(labels);
    if (series === undefined) {
      series = this.#find(labels);
      this.#byObject.set(labels, series);
    }
    series.pending += by;
  }

  /** Hands over what was added since the last time, zero included: a series that was begun is shown. */
  flush(take: (labels: Labels, by: number) => void): void {
    for (const series of this.#all()) {
      take(series.labels, series.pending);
      series.pending = 0;
    }
  }

  *#all(): Generator<Series> {
    yield* this.#byValues.values();
    if (this.#other !== null) yield this.#other;
  }

  #find(labels: Labels): Series {
    const key = Object.values(labels).join('\u0000');
    const known = this.#byValues.get(key);
    if (known !== undefined) return known;
    if (this.#byValues.size >= labelSetsMax) {
      this.#other ??= { labels: Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])), pending: 0 };
      return this.#other;
    }
    const series = { labels, pending: 0 };
    this.#byValues.set(key, series);
    return series;
  }
}
