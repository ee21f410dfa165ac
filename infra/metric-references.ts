/**
 * Which metrics and labels a PromQL expression names, and whether the conductor has them: a dashboard or an alert
 * on a name that nobody exports stays silent for ever. Text work, no parser; promtool checks the grammar.
 */
import { metricTable } from '#conductor/core/metrics';
import { metricNamespace } from '#conductor/core/metrics/definition';

/** Given by Prometheus to every sample; CLUSTER stands for one of these or for a label that operators add. */
const targetLabels = ['job', 'instance', 'CLUSTER'];
/** Exported by the process itself, by the scrape, and by Prometheus about its rules. */
const otherMetrics: Readonly<Record<string, readonly string[]>> = {
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
  process_start_time_seconds: [],
  process_open_fds: [],
  process_max_fds: [],
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity'],
};
const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] } as const;

export interface MetricReference {
  /** As it is exported, with the namespace. */
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** A word that is a metric, with its matchers if it has any. */
export const metricPattern = new RegExp(
  `\\b(${metricNamespace}_\\w+|process_\\w+|up|ALERTS)\\b(?![\\w(])(?:\\{([^}]*)\\})?`,
  'g',
);

/** Every metric of an expression, in order, repeated ones too. */
export function metricReferences(expr: string): MetricReference[] {
  return [...expr.matchAll(metricPattern)].map(([, name = '', inside = '']) => ({
    name,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  }));
}

/** True when op-conductor exports every metric of the expression, too. */
export function worksWithOpConductor(expr: string): boolean {
  return metricReferences(expr).every(
    ({ name }) =>
      name in otherMetrics || metricTable.some((one) => one.inherited === true && names(one).includes(name)),
  );
}

/**
 * Sentences about what an expression gets wrong, and the labels that its legend or sentence shows: an aggregation
 * leaves those of its first `by` only.
 */
export function referenceMistakes(expr: string, shownLabels: readonly string[] = []): string[] {
  const references = metricReferences(expr);
  if (references.length === 0) return ['it names no metric'];
  const mistakes = references.flatMap(mistakesOf);
  const known = references.flatMap(({ name }) => labelsOf(name) ?? []);
  const lists = [...expr.matchAll(/\b(by|on)\s*\(([^)]*)\)/g)].map(([, word, list = '']) => ({
    word,
    labels: list.split(',').map((label) => label.trim()),
  }));
  const kept = lists.find(({ word }) => word === 'by')?.labels ?? known;
  for (const label of lists.flatMap(({ labels }) => labels))
    if (!known.includes(label)) mistakes.push(`none of its metrics has the label ${label}`);
  for (const label of shownLabels) if (!kept.includes(label)) mistakes.push(`its result has no label ${label}`);
  return mistakes;
}

function mistakesOf({ name, matchers }: MetricReference): string[] {
  const labels = labelsOf(name);
  if (labels === null) return [`${name} is not exported`];
  const { known, labels: own } = metricTable.find((one) => names(one).includes(name)) ?? {};
  return matchers.flatMap(({ label, operator, value }) => {
    if (!labels.includes(label)) return [`${name} has no label ${label}`];
    const isOdd = operator === '=' && known !== undefined && own?.[0] === label && !known.includes(value);
    return isOdd ? [`${name} never has ${label}="${value}"`] : [];
  });
}

/** null for a metric that nobody exports. */
function labelsOf(name: string): readonly string[] | null {
  const other = otherMetrics[name];
  if (other !== undefined) return [...other, ...targetLabels];
  const family = metricTable.find((one) => names(one).includes(name));
  if (family === undefined) return null;
  return [...family.labels, ...targetLabels, ...(name.endsWith('_bucket') ? ['le'] : [])];
}

function names({ name, type }: (typeof metricTable)[number]): string[] {
  return suffixes[type].map((suffix) => `${metricNamespace}_${name}${suffix}`);
}
