/** What a row of the metric table is, and the buckets that histograms share. */

/** One metric family. `name` is without the namespace `op_conductor_`. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending, without +Inf; histograms only. */
  readonly buckets?: readonly number[];
  /** Values of the one label that are on the page from the start, at 0, so that alerts can watch their rise. */
  readonly known?: readonly string[];
  /** True where op-conductor exports the same family. */
  readonly inherited?: true;
}

export const metricNamespace = 'op_conductor';

/** Upper bounds in seconds: of calls, of failovers, of what should take milliseconds. */
export const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const failoverBuckets = [0.05, 0.1, 0.15, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30];
export const fineBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Rows of the three types: a name, what it says, and the names of its labels. */
export function counter<const Name extends string, const Labels extends readonly string[]>(
  name: Name,
  help: string,
  ...labels: Labels
) {
  return { name, type: 'counter', help, labels } as const;
}

export function gauge<const Name extends string, const Labels extends readonly string[]>(
  name: Name,
  help: string,
  ...labels: Labels
) {
  return { name, type: 'gauge', help, labels } as const;
}

export function histogram<const Name extends string, const Labels extends readonly string[]>(
  name: Name,
  help: string,
  buckets: readonly number[],
  ...labels: Labels
) {
  return { name, type: 'histogram', help, labels, buckets } as const;
}
