/**
 * What happens to the cluster, in the page's words where it is one of its verbs, else in the simulator's. For the worker:
 * the simulator's words come with all that it can do.
 */
import { storyOf, type SimEvent } from '#simulator/faults';
import { seconds } from './seconds.ts';
import { clusterVerbOf, OPEN_MS, verbOf, verbs } from './verbs.ts';

/** How a story ends of what lasts. */
const LASTS = /, for \d+ ms$/;

/** What begins, and for how long if it is over by itself. */
export function beginningOf(event: SimEvent, servers: number): string {
  const lasts = event.forMs === OPEN_MS ? '' : `, for ${seconds(event.forMs)}`;
  return clusterVerbOf(event)?.sentence ?? storyOf(event, servers).replace(LASTS, lasts);
}

/** What is over, by itself or because a reader ended it. */
export function endOf(event: SimEvent, servers: number): string {
  const verb = verbOf(event);
  const known = verb === null ? clusterVerbOf(event)?.endSentence : verbs[verb].endSentence;
  return known?.replace('{at}', `s${event.at % servers}`) ?? `over: ${storyOf(event, servers).replace(LASTS, '')}`;
}
