/**
 * Which program a conductor is: ours has a page and a method that op-conductor lacks. Only a server that says so has no such
 * page; one that does not answer, or a proxy that answers in its place, tells nothing.
 */
import type { ServerView } from './cluster-view.ts';

/** As scripts are given it in PROGRAM. */
export type Program = 'conductor' | 'op-conductor';

/** What answers there; null while nothing does, and where it cannot be told. */
export function programOf({ conductor, readiness, unread }: ServerView): Program | null {
  if (conductor === null) return null;
  if (conductor.nodes !== null || readiness !== null) return 'conductor';
  return unread === undefined ? 'op-conductor' : null;
}
