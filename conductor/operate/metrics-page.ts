/**
 * Reads what the devnet shows from a Prometheus page: plain samples by name, and quantiles of a
 * histogram over a recent window (the difference of two readings).
 */

/** Largest page read, in characters. */
const PAGE_MAX = 2_000_000;
/** One sample line: name, optional labels, value. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;

/** Cumulative counts by upper bound (seconds), ascending; the last bound is Infinity. */
export type Histogram = readonly { readonly bound: number; readonly count: number }[];

/** A page, parsed. */
export interface MetricsPage {
  /** Samples without labels by full name. */
  readonly values: ReadonlyMap<string, number>;
  /** Histograms without labels of their own by full name. */
  readonly histograms: ReadonlyMap<string, Histogram>;
}

/** Parses a page; lines that are not samples are skipped. */
export function parseMetrics(page: string): MetricsPage {
  const values = new Map<string, number>();
  const histograms = new Map<string, { bound: number; count: number }[]>();
  for (const line of page.slice(0, PAGE_MAX).split('\n')) {
    const [, name, labels, text] = SAMPLE.exec(line) ?? [];
    if (name === undefined || text === undefined) continue;
    const bound = /^le="([^"]+)"$/.exec(labels ?? '')?.[1];
    if (bound !== undefined && name.endsWith('_bucket')) {
      const base = name.slice(0, -'_bucket'.length);
      const buckets = histograms.get(base) ?? [];
      buckets.push({ bound: bound === '+Inf' ? Infinity : Number(bound), count: Number(text) });
      histograms.set(base, buckets);
    } else if (labels === undefined || labels === '') {
      values.set(name, Number(text));
    }
  }
  return { values, histograms };
}

/**
 * The value below which the share `quantile` of the observations between two readings lies, in
 * seconds, linear within its bucket; null without observations. A counter that went back (a restart)
 * makes the later reading stand alone.
 */
export function recentQuantile(earlier: Histogram | null, later: Histogram, quantile: number): number | null {
  const total = later.at(-1)?.count ?? 0;
  const base = earlier !== null && (earlier.at(-1)?.count ?? 0) <= total ? earlier : [];
  const before = new Map(base.map((bucket) => [bucket.bound, bucket.count]));
  const counts = later.map((bucket) => ({
    bound: bucket.bound,
    count: bucket.count - (before.get(bucket.bound) ?? 0),
  }));
  const observed = counts.at(-1)?.count ?? 0;
  if (observed <= 0) return null;
  const rank = quantile * observed;
  let lowerBound = 0;
  let lowerCount = 0;
  for (const { bound, count } of counts) {
    if (count >= rank) {
      if (bound === Infinity) return lowerBound;
      return lowerBound + ((bound - lowerBound) * (rank - lowerCount)) / Math.max(1, count - lowerCount);
    }
    lowerBound = bound;
    lowerCount = count;
  }
  return lowerBound;
}
