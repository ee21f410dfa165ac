/**
 * The metric table: every family the process exports. The first part keeps op-conductor's names,
 * labels and buckets, so that dashboards and alerts go on working; the others are ours (metrics/).
 * The exporter and the docs are made from it, and it types what code may count, set and observe: a family that is not
 * in the table, and a label that is not its own, do not compile; a row that nothing records fails a test.
 */
import type { MetricDefinition } from './metrics/definition.ts';
import { clusterMetrics } from './metrics/cluster.ts';
import { inheritedMetrics } from './metrics/inherited.ts';
import { processMetrics } from './metrics/process.ts';
import { sequencingMetrics } from './metrics/sequencing.ts';

const own = [...clusterMetrics, ...sequencingMetrics, ...processMetrics] as const;

/** Every family, op-conductor's first. */
export const metricTable: readonly MetricDefinition[] = [
  ...inheritedMetrics.map((one) => ({ ...one, inherited: true as const })),
  ...own,
];

type Row = (typeof inheritedMetrics)[number] | (typeof own)[number];
type RowOf<Type extends MetricDefinition['type']> = Extract<Row, { readonly type: Type }>;

/** The labels of each family, by its name. */
export type MetricLabels = {
  [Family in Row as Family['name']]: { readonly [Label in Family['labels'][number]]: string };
};
/** Families of a type, by whether they have labels. */
export type PlainMetric<Type extends MetricDefinition['type']> = Extract<
  RowOf<Type>,
  { readonly labels: readonly [] }
>['name'];
export type LabelledMetric<Type extends MetricDefinition['type']> = Exclude<RowOf<Type>['name'], PlainMetric<Type>>;
export type NoLabels = Readonly<Record<string, never>>;
