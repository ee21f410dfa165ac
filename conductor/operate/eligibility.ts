/**
 * Whether a server could lead, has caught up, or is to be left alone: the sentences with which steps refuse, and the
 * choice of who leads next.
 */
import type { ServerConfig } from './cluster-config.ts';
import {
  highestHead,
  isSameMembership,
  leaderOf,
  memberOf,
  membershipOf,
  mistakenFor,
  seen,
  sequencingServers,
  serverOf,
  votersOf,
  type ClusterView,
  type ServerView,
} from './cluster-view.ts';
import { buildingOf, dangerOf } from './sequencers.ts';

/** Blocks by which the node of a new leader or voter may be behind: a few are always on their way. */
const LAG_BLOCKS_MAX = 8;

/** Why the server `id` should not be given leadership; null when it should be able to sequence. */
export function whyIneligibleToLead(view: ClusterView, id: string): string | null {
  const member = memberOf(view, id);
  const never = whyNeverLeading(view, id);
  if (member === null || never !== null) return never;
  const server = serverOf(view, id);
  if (server !== null) return whyServerIneligible(view, server);
  // One of the servers whose id nobody told: it is eligible if all of them are.
  const unnamed = view.servers.filter(({ isNamed }) => !isNamed);
  if (unnamed.length === 0) {
    const mistaken = view.servers.find(({ config }) => config.consensus === member.address);
    const why = mistaken === undefined ? '' : mistakenFor(view, mistaken);
    return `${id} cannot be asked whether it is well: ${why === '' ? 'its URL is not known here' : why}`;
  }
  return unnamed.map((one) => whyServerIneligible(view, one)).find((why) => why !== null) ?? null;
}

/**
 * As `whyIneligibleToLead`, for a server that builds already: paused, it goes on building, and what it builds is committed
 * once it leads and its op-node asks its conductor: not before a restart, where that was overridden.
 */
export function whyIneligibleToTake(view: ClusterView, id: string): string | null {
  const server = serverOf(view, id);
  const { conductor } = server ?? {};
  if (!server || !conductor?.isPaused || buildingOf(server) !== 'builds') return whyIneligibleToLead(view, id);
  const acting = { ...server, conductor: { ...conductor, isPaused: false } };
  return whyIneligibleToLead({ ...view, servers: view.servers.map((one) => (one === server ? acting : one)) }, id);
}

/** Why it could not lead however well it was; null when it could. */
export function whyNeverLeading(view: ClusterView, id: string): string | null {
  const member = memberOf(view, id);
  const server = serverOf(view, id);
  if (member === null && server?.isNamed === false)
    return `the id of ${id} is not known: write it before its URL, --rpc id=${new URL(server.config.conductor).origin}`;
  if (member === null) return `${id} is not a member of the cluster`;
  return member.isVoter ? null : `${id} is a nonvoter, and only voters lead`;
}

function whyServerIneligible(view: ClusterView, server: ServerView): string | null {
  const { id } = server;
  if (server.conductor === null) return `${id} does not answer: ${server.whySilent}`;
  if (server.conductor.isStopped === true) return `the conductor of ${id} is stopped, so it would start no sequencer`;
  if (server.conductor.isPaused === true)
    return `${id} is paused, so it would start no sequencer; ${dangerOf(view, { kind: 'act', server }) === null ? `resume it first: conductor resume ${id}` : 'see conductor status before it is resumed'}`;
  if (server.conductor.isHealthy === false) return `${id} calls its sequencer unhealthy`;
  return whyNotReady(server) ?? whyNodeIneligible(view, server);
}

/** By its /readyz; null also where nobody is to be asked: on op-conductor, and behind a proxy that does not pass it on. */
export function whyNotReady({ id, readiness, unread }: ServerView): string | null {
  if (readiness?.isReady === false) return `${id} is not ready: ${readiness.reason}`;
  return unread?.isRefused === false ? `whether ${id} is ready is not known: ${unread.why}` : null;
}

function whyNodeIneligible(view: ClusterView, { id, node, whyNodeSilent }: ServerView): string | null {
  if (node === null) return whyNodeSilent === '' ? null : `the op-node of ${id} does not answer: ${whyNodeSilent}`;
  if (node.isConductorEnabled === false)
    return `the op-node of ${id} has no conductor enabled (OP_NODE_CONDUCTOR_ENABLED), so its blocks would not be committed`;
  return whyNotAtHead(view, { id, node }, LAG_BLOCKS_MAX);
}

/** Why a node does not follow the head: on another branch, or more than `blocksMax` behind; null when it does. */
export function whyNotAtHead(
  view: ClusterView,
  server: Pick<ServerView, 'id' | 'node'>,
  blocksMax: number,
): string | null {
  return whyElsewhere(view, server) ?? whyLagging(view, server, blocksMax);
}

/** Why a node is not on the chain of the one that sequences, which only two blocks of one height tell; null if it may be. */
function whyElsewhere(view: ClusterView, { id, node }: Pick<ServerView, 'id' | 'node'>): string | null {
  const own = node?.unsafeHead ?? null;
  for (const sequencing of sequencingServers(view)) {
    const head = sequencing.node?.unsafeHead ?? null;
    if (own !== null && head !== null && own.number === head.number && own.hash !== head.hash)
      return `the op-node of ${id} is on another branch: its block ${own.number} is ${own.hash}, that of ${sequencing.id}, which sequences, is ${head.hash}`;
  }
  return null;
}

/** Why a node is too far behind the highest head, more than `blocksMax`; null when it is not. */
function whyLagging(
  view: ClusterView,
  { id, node }: Pick<ServerView, 'id' | 'node'>,
  blocksMax: number,
): string | null {
  const lag = (highestHead(view)?.number ?? 0) - (node?.unsafeHead?.number ?? 0);
  return lag > blocksMax ? `the op-node of ${id} is ${lag} blocks behind` : null;
}

/** Who should lead next instead of `from`: the eligible voter that is furthest; null when there is none. */
export function bestSuccessor(view: ClusterView, from: string): string | null {
  const eligible = votersOf(view).filter(({ id }) => id !== from && whyIneligibleToLead(view, id) === null);
  const head = (id: string): number => serverOf(view, id)?.node?.unsafeHead?.number ?? 0;
  return eligible.toSorted((a, b) => head(b.id) - head(a.id) || (a.id < b.id ? -1 : 1))[0]?.id ?? null;
}

/** Why nobody could take over from `from`, one reason per other voter. */
export function whyNoSuccessor(view: ClusterView, from: string): string {
  const others = votersOf(view).filter(({ id }) => id !== from);
  if (others.length === 0) return `${from} is the only voter, so nobody can take over`;
  return `nobody can take over from ${from}: ${others.map(({ id }) => whyIneligibleToLead(view, id) ?? `${id} could`).join('; ')}`;
}

/** Why a member has not caught up with the leader, in a few words; null when it has. */
export function whyBehind(view: ClusterView, config: ServerConfig): string | null {
  const server = seen(view, config);
  const { conductor } = server;
  const leader = leaderOf(view);
  if (conductor === null) {
    const node = server.whyNodeSilent === '' ? '' : `; neither does its op-node: ${server.whyNodeSilent}`;
    return `${server.id} does not answer: ${server.whySilent}${node}`;
  }
  if (leader === null) return 'nobody leads';
  if (conductor.leaderId !== leader.id) return `${server.id} does not know the leader yet`;
  if (conductor.membership === null || !isSameMembership(conductor.membership, membershipOf(view)))
    return `${server.id} has not received the membership yet`;
  return whyNotReady(server) ?? whyNodeIneligible(view, server);
}
