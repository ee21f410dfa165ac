/** The metrics reference, from the conductor's own table. */
import { metricNamespace, metricTable, type MetricDefinition } from '#conductor/metrics';
import { code, prose, sentence, table } from './mdx-text.ts';
import type { Generator } from './generator.ts';

/** `which="inherited"` are those that op-conductor has too, `which="own"` the others. */
export const conductorMetrics: Generator = ({ which }) => {
  if (which !== 'inherited' && which !== 'own') throw new Error('conductor/metrics needs which="inherited" or "own"');
  const rows = metricTable.filter((metric) => (metric.inherited === true) === (which === 'inherited'));
  return table(['Metric', 'Type', 'Labels', 'Meaning'], rows.map(row));
};

function row({ name, type, labels, help }: MetricDefinition): string[] {
  const shown = labels.length === 0 ? '' : labels.map(code).join(', ');
  return [code(`${metricNamespace}_${name}`), type, shown, prose(sentence(help))];
}
