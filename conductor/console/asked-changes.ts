/**
 * What streams would tell, of servers that have none: found by comparing two looks, and so known to have been between
 * them. Whoever follows such a leader and publishes events says when it came to lead; then asking adds nothing.
 */
import { ClusterChanges } from '#conductor/operate/cluster-changes';
import { leaderOf, type ClusterView } from '#conductor/operate/cluster-view';
import type { StoredEvent } from './history.ts';

/** The reason of an election that nobody told, but that was found by asking. */
export const seenByAsking = 'seen by asking';

/** An event, and its name among those of its server. */
export type Found = readonly [event: StoredEvent, source: string];

export interface Asked {
  readonly view: ClusterView;
  /** Ids of the servers whose events are followed. */
  readonly streamed: ReadonlySet<string>;
  /** Leaders whom followed servers say that they follow. */
  readonly told: ReadonlySet<string>;
  readonly blockMs: number;
}

export class AskedChanges {
  readonly #cluster: string;
  #changes: ClusterChanges | null = null;
  #leader: string | null;

  /** `leader`: who led when it was known last; null for nobody. */
  constructor(cluster: string, leader: string | null) {
    this.#cluster = cluster;
    this.#leader = leader;
  }

  /** `beforeMs`: when the look before this one began, Unix milliseconds; null for the first. */
  advance({ view, streamed, told, blockMs }: Asked, beforeMs: number | null): Found[] {
    this.#changes ??= new ClusterChanges(blockMs / 1000);
    return this.#changes.advance(view).flatMap(({ kind, atMs, text, fields }): Found[] => {
      const server = String(fields['node'] ?? fields['leader'] ?? '');
      if (kind === 'block' || kind === 'process' || streamed.has(server)) return [];
      if (kind !== 'leader' || server === '')
        return [[{ cluster: this.#cluster, server, atMs, kind: 'seen', data: { text } }, `console-${kind}-${atMs}`]];
      const wasKnown = beforeMs === null && this.#leader === server;
      this.#leader = server;
      if (wasKnown || told.has(server)) return [];
      const term = leaderOf(view)?.term ?? null;
      const data = { role: 'leader', term, reason: seenByAsking, sinceMs: beforeMs };
      return [[{ cluster: this.#cluster, server, atMs, kind: 'role', data }, `console-role-${atMs}`]];
    });
  }
}

/** An election that a follower told, of a leader that tells nothing itself; several followers name it alike. */
export function followedElection(told: StoredEvent, leader: string): Found {
  const term = Number(told.data['term']);
  const data = { role: 'leader', term, reason: `${told.server} follows it`, by: told.server };
  return [{ ...told, server: leader, kind: 'role', data }, `console-followed-${term}`];
}
