/**
 * Metrics by the table (metrics.ts) on a Prometheus registry of our own, without the client's default
 * metrics.
 */
import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { metricTable, type LabelledMetric } from '#conductor/core/metrics';
import { metricNamespace } from '#conductor/core/metrics/definition';
import type { Metrics } from '#conductor/core/ports';
import { CounterSeries } from './counter-series.ts';
import { LabelSets, type Labels } from './label-sets.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { SeriesHistogram } from './series-histogram.ts';

export interface PrometheusMetrics extends Metrics {
  /** Forgets the label sets of a gauge, so that what is set next is all there is. */
  clear(name: LabelledMetric<'gauge'>): void;
  /** The page, in the text format. */
  page(): Promise<string>;
}

const noLabels: Labels = {};

/** A registry with every family of the table; other names are dropped. `version` becomes the label of info. */
export function createMetrics(version: string): PrometheusMetrics {
  const registry = new Registry();
  const counters = new Map<string, { readonly counter: Counter<string>; readonly series: CounterSeries }>();
  const gauges = new Map<string, { readonly gauge: Gauge<string>; readonly sets: LabelSets<Labels> }>();
  const histograms = new Map<string, SeriesHistogram>();
  registerProcessMetrics(registry);
  for (const { name, type, help, labels, buckets, inherited } of metricTable) {
    const common = { name: `${metricNamespace}_${name}`, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') counters.set(name, { counter: new Counter(common), series: new CounterSeries() });
    else if (type === 'gauge') {
      const gauge = new Gauge(common);
      // What is not known yet is not 0: a certificate that expired in 1970, a block of that year.
      if (labels.length === 0 && inherited !== true) gauge.remove();
      gauges.set(name, { gauge, sets: new LabelSets((bounded) => bounded) });
    } else histograms.set(name, new SeriesHistogram(common, buckets ?? []));
  }
  const metrics: PrometheusMetrics = {
    count: (name: string, labels: Labels = noLabels, by = 1) => counters.get(name)?.series.add(labels, by),
    gauge: (name: string, value: number, labels: Labels = noLabels) => {
      const known = gauges.get(name);
      known?.gauge.set(known.sets.of(labels), value);
    },
    observe: (name: string, value: number, labels: Labels = noLabels) => histograms.get(name)?.record(labels, value),
    clear: (name) => gauges.get(name)?.gauge.reset(),
    page: () => {
      for (const { counter, series } of counters.values()) series.flush((labels, by) => counter.inc({ ...labels }, by));
      return registry.metrics();
    },
  };
  for (const { name, labels, known = [] } of metricTable)
    for (const value of known) counters.get(name)?.series.add({ [labels[0] as string]: value }, 0);
  metrics.gauge('info', 1, { version });
  return metrics;
}
