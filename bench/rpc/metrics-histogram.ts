/** Reads one histogram from a Prometheus page, to tell what happened between two readings of it. */

const PAGE_MS_MAX = 5000;

/** One bucket: how many observations there were at or below the bound, in the metric's own unit. */
export interface Bucket {
  readonly bound: number;
  readonly count: number;
}

/** Buckets of a histogram in rising order; throws where the page has none of that name. */
export async function histogramOf(metricsPort: number, name: string): Promise<Bucket[]> {
  const page = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { signal: AbortSignal.timeout(PAGE_MS_MAX) });
  const buckets = parseHistogram(await page.text(), name);
  if (buckets.length === 0) throw new Error(`the metrics have no histogram called ${name}`);
  return buckets;
}

/** The same from a page's text; the name may have any prefix. */
export function parseHistogram(page: string, name: string): Bucket[] {
  const pattern = new RegExp(`^\\w*${name}_bucket\\{[^}]*le="([^"]+)"[^}]*\\} (\\d+)$`, 'gm');
  return [...page.matchAll(pattern)].map(([, bound = '', count = '']) => ({
    bound: bound === '+Inf' ? Infinity : Number(bound),
    count: Number(count),
  }));
}

/** The lowest bound that at least `share` of the observations between the two readings did not exceed; NaN of none. */
export function quantileBetween(before: readonly Bucket[], after: readonly Bucket[], share: number): number {
  const counts = after.map(({ bound, count }, at) => ({ bound, count: count - (before[at]?.count ?? 0) }));
  const all = counts.at(-1)?.count ?? 0;
  return all === 0 ? Number.NaN : (counts.find(({ count }) => count >= all * share)?.bound ?? Number.NaN);
}
