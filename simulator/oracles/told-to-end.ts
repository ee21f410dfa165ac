/** What ends a conductor in order (rule 21). */
import type { ConductorEvent } from '#conductor/core/events';

/** Whether it is a signal to end, or an operator's call to stop. */
export function isToldToEnd(event: ConductorEvent): boolean {
  return event.kind === 'drain' || (event.kind === 'rpc' && event.method === 'conductor_stop');
}
