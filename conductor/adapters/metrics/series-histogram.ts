/** A histogram of the client library whose observations are plain numbers by label set until somebody looks. */
import { Histogram, type HistogramConfiguration } from '@prometheus-io/client';
import { assert } from '#conductor/core/assert';
import { LabelSets, type Labels } from './label-sets.ts';

interface Series {
  readonly labels: Labels;
  /** Observations of each bucket alone, those above the last bound at its end. */
  readonly counts: number[];
  sum: number;
}

/** One line of the page, in the form that the library's registry writes. */
interface Sample {
  readonly metricName: string;
  readonly labels: Labels;
  /** Those that all lines of a series have. */
  readonly sharedLabels: Labels;
  readonly value: number;
}

export class SeriesHistogram extends Histogram<string> {
  readonly #configuration: HistogramConfiguration<string>;
  readonly #bounds: readonly number[];
  readonly #sets: LabelSets<Series>;

  /** `bounds`: upper bounds of the buckets, ascending, without +Inf. */
  constructor(configuration: HistogramConfiguration<string>, bounds: readonly number[]) {
    super({ ...configuration, buckets: [...bounds] });
    this.#configuration = configuration;
    this.#bounds = bounds;
    this.#sets = new LabelSets((labels) => ({
      labels,
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      sum: 0,
    }));
    // One without labels is shown from the start.
    if ((configuration.labelNames ?? []).length === 0) this.#sets.of({});
  }

  /** Adds one observation. */
  record(labels: Labels, value: number): void {
    assert(Number.isFinite(value), 'what is observed is a number');
    const series = this.#sets.of(labels);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1;
    series.counts[bucket] = series.counts[bucket]! + 1;
    series.sum += value;
  }

  /** What the registry and `get` show, in the place of what the library would have kept itself. */
  getForPromString(): Promise<object> {
    const { name, help } = this.#configuration;
    const values = [...this.#sets.all()].flatMap((series) => this.#samplesOf(name, series));
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }

  #samplesOf(name: string, { labels: sharedLabels, counts, sum }: Series): Sample[] {
    let count = 0;
    const buckets = counts.map((of, at): Sample => {
      count += of;
      const le = String(this.#bounds[at] ?? '+Inf');
      return { metricName: `${name}_bucket`, labels: { le }, sharedLabels, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
    ];
  }
}
