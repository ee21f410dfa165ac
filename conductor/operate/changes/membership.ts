/** Who belongs to the cluster: read from what a conductor answers, and told when it changes. */
import type { ClusterEvent } from './cluster-event.ts';

/** Members by id, true for those that vote, at a version that grows with each change. */
export interface MembershipView {
  readonly version: number;
  readonly servers: ReadonlyMap<string, boolean>;
}

/** Suffrage of a voter in a conductor's answer. */
const VOTER = 0;

/** Reads an answer of conductor_clusterMembership; null for anything else. */
export function readMembership(answer: unknown): MembershipView | null {
  const { servers, version } = (answer ?? {}) as { servers?: unknown; version?: unknown };
  if (!Array.isArray(servers) || typeof version !== 'number') return null;
  const known = servers.map((server: { id?: unknown; suffrage?: unknown } | null) => [
    String(server?.id),
    server?.suffrage === VOTER,
  ]);
  return { version, servers: new Map(known as [string, boolean][]) };
}

/** One event per server that came, went, or got or lost its vote. */
export function membershipEvents(before: MembershipView, after: MembershipView, atMs: number): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  const note = (node: string, change: string, text: string): void => {
    const fields = { node, change, version: after.version };
    events.push({ kind: 'membership', atMs, text: `${node} ${text}`, fields });
  };
  for (const [id, votes] of after.servers) {
    const voted = before.servers.get(id);
    if (voted === undefined) note(id, 'added', `joined the cluster as a ${votes ? 'voter' : 'nonvoter'}`);
    else if (voted !== votes) note(id, votes ? 'promoted' : 'demoted', `is a ${votes ? 'voter' : 'nonvoter'} now`);
  }
  for (const id of before.servers.keys()) {
    if (!after.servers.has(id)) note(id, 'removed', 'was removed from the cluster');
  }
  return events;
}
