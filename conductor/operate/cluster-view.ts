/**
 * What is known of a cluster at one moment, and what follows from it: who leads, who votes, whether enough answer.
 * Plain values, made by observe.ts; null for what nobody told.
 */
import type { ServerConfig } from './cluster-config.ts';
import type { ConductorState, Member, Membership, Readiness } from './conductor-state.ts';
import type { BlockHead, NodeState } from './node-state.ts';

/** One server of the configuration. */
export interface ServerView {
  /** Its raft server id; where that is not known, "host:port" of its RPC. */
  readonly id: string;
  /** Whether `id` is what the cluster calls it. */
  readonly isNamed: boolean;
  readonly config: ServerConfig;
  /** Null when its conductor does not answer; `whySilent` says why. */
  readonly conductor: ConductorState | null;
  readonly whySilent: string;
  /** Null where there is no such page, as on op-conductor, and where it could not be read, which `unread` tells. */
  readonly readiness: Readiness | null;
  /** Left out where /readyz was read, or is no page. */
  readonly unread?: Unread;
  /** Null when its op-node does not answer, or has no URL; `whyNodeSilent` says why, '' without a URL. */
  readonly node: NodeState | null;
  readonly whyNodeSilent: string;
  /** When its op-node answered, Unix milliseconds: a look may have to wait for others longer. */
  readonly nodeAtMs?: number;
  /** The operator says that its sequencer has stopped; counts only where its op-node does not say. */
  readonly isKnownIdle?: boolean;
  /** From the metrics page. */
  readonly term: number | null;
}

/** Why nothing is known of a page. */
export interface Unread {
  readonly why: string;
  /** Somebody answers in its place, as a proxy that passes on POST only: to ask again does not help. */
  readonly isRefused: boolean;
}

export interface ClusterView {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly servers: readonly ServerView[];
  /** Members without a URL here of which the operator says that their sequencer has stopped. */
  readonly knownIdle?: readonly string[];
}

/** The server that leads in the view of most; one under override, which always says so, only where another names it. */
export function leaderOf(view: ClusterView): ServerView | null {
  const names = ({ conductor }: ServerView, { id }: ServerView): boolean => conductor?.leaderId === id;
  const supporters = (server: ServerView): number => view.servers.filter((other) => names(other, server)).length;
  const claiming = view.servers.filter((server) => {
    if (server.conductor?.claimsLeader !== true) return false;
    return (
      server.conductor.isOverridden !== true || view.servers.some((other) => other !== server && names(other, server))
    );
  });
  const byWord = claiming.toSorted((a, b) => (b.term ?? 0) - (a.term ?? 0) || supporters(b) - supporters(a));
  return byWord[0] ?? null;
}

/** Id of a leader whom those asked follow, and which is none of them; null when there is none, or one does not answer. */
export function leaderElsewhere(view: ClusterView): string | null {
  if (leaderOf(view) !== null || view.servers.some(({ conductor }) => conductor === null)) return null;
  const named = view.servers.flatMap(({ conductor }) => conductor?.leaderId ?? []);
  return named.find((id) => memberOf(view, id) !== null && serverOf(view, id) === null) ?? null;
}

/** It says that it leads, and not because it is overridden. */
export function leadsByItsWord({ conductor }: ServerView): boolean {
  return conductor?.claimsLeader === true && conductor.isOverridden !== true;
}

/** The membership as the leader knows it; without a leader, as most of those that answer do. */
export function membershipOf(view: ClusterView): Membership {
  const leader = leaderOf(view)?.conductor?.membership;
  if (leader !== undefined && leader !== null) return leader;
  const known = view.servers.flatMap(({ conductor }) => conductor?.membership ?? []);
  const alike = (one: Membership): number => known.filter((other) => isSameMembership(one, other)).length;
  return known.toSorted((a, b) => alike(b) - alike(a) || b.version - a.version)[0] ?? { members: [], version: 0 };
}

export function votersOf(view: ClusterView): readonly Member[] {
  return membershipOf(view).members.filter(({ isVoter }) => isVoter);
}

/** The member with an id, or null. */
export function memberOf(view: ClusterView, id: string): Member | null {
  return membershipOf(view).members.find((member) => member.id === id) ?? null;
}

/** The server with an id, or null. */
export function serverOf(view: ClusterView, id: string): ServerView | null {
  return view.servers.find((server) => server.id === id) ?? null;
}

/** Servers whose sequencer builds blocks. */
export function sequencingServers(view: ClusterView): readonly ServerView[] {
  return view.servers.filter(({ node }) => node?.isSequencing === true);
}

/** The highest unsafe head that any node has. */
export function highestHead(view: ClusterView): BlockHead | null {
  const heads = view.servers.flatMap(({ node }) => node?.unsafeHead ?? []);
  return heads.toSorted((a, b) => b.number - a.number)[0] ?? null;
}

/** How many blocks a server's op-node has got since `height`, in a few words. */
export function blocksSince(height: number | null, server: ServerView | null): string {
  const head = server?.node?.unsafeHead ?? null;
  return head === null || height === null ? 'its op-node tells no block' : `${head.number - height} blocks`;
}

/** Same servers at the same addresses with the same votes. */
export function isSameMembership(one: Membership, other: Membership): boolean {
  const words = ({ members }: Membership): string =>
    JSON.stringify(members.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((m) => [m.id, m.address, m.isVoter]));
  return words(one) === words(other);
}

/** The server with these settings; its id may have been learnt since. Throws RangeError for settings of no server. */
export function seen(view: ClusterView, config: ServerConfig): ServerView {
  const found = view.servers.find((server) => server.config === config);
  if (found === undefined) throw new RangeError(`${config.id} is not a server of this view`);
  return found;
}

/** A server that the cluster calls otherwise than the cluster file does; '' where none can be told. */
export function mistakenFor(view: ClusterView, server: ServerView): string {
  const { id, isNamed, config, conductor } = server;
  if (!isNamed || conductor === null) return '';
  const advice = 'correct its id in the cluster file or in --rpc';
  const { leaderId } = conductor;
  if (leadsByItsWord(server) && leaderId !== null && leaderId !== '' && leaderId !== id)
    return `the server called ${id} here leads as ${leaderId}: ${advice}`;
  const member = membershipOf(view).members.find(({ address }) => address === config.consensus);
  return member === undefined || member.id === id
    ? ''
    : `the server called ${id} here is at the raft address of ${member.id}: ${advice}`;
}
