/** Publishes alarms: whoever counts one in alarms_total raises one, wherever that is. */
import type { Metrics } from '#conductor/core/ports';
import type { EventSink } from '#conductor/core/published-event';

/** The metrics as given, with every alarm that is counted published. */
export function withAlarmEvents(metrics: Metrics, events: EventSink): Metrics {
  const count = (name: string, labels?: Readonly<Record<string, string>>, by?: number): void => {
    (metrics.count as (name: string, labels?: object, by?: number) => void).call(metrics, name, labels, by);
    if (name === 'alarms_total' && by !== 0) events.publish({ kind: 'alarm', alarm: labels?.['kind'] ?? '' });
  };
  return {
    count: count as Metrics['count'],
    gauge: metrics.gauge.bind(metrics) as Metrics['gauge'],
    observe: metrics.observe.bind(metrics) as Metrics['observe'],
  };
}
