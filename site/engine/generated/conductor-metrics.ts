/** The metrics reference, from the conductor's own table. */
import { metricTable } from '#conductor/core/metrics';
import { metricNamespace, type MetricDefinition } from '#conductor/core/metrics/definition';
import { code, prose, sentence } from './mdx-text.ts';
import type { Generator } from './generator.ts';

/** `which="inherited"` are those that op-conductor has too, `which="own"` the others. */
export const conductorMetrics: Generator = ({ which }) => {
  if (which !== 'inherited' && which !== 'own') throw new Error('conductor/metrics needs which="inherited" or "own"');
  return metricTable
    .filter((metric) => (metric.inherited === true) === (which === 'inherited'))
    .map(describe)
    .join('\n');
};

/** One line of a list: names are longer than any column. */
function describe({ name, type, labels, help }: MetricDefinition): string {
  const labelled = labels.length === 0 ? '' : ` by ${labels.map(code).join(', ')}`;
  return `- ${code(`${metricNamespace}_${name}`)} (${type}${labelled}): ${prose(sentence(help))}`;
}
