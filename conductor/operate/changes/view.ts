/** What is known of a devnet at one moment: plain values, made by the probe, read by table and events. */

import type { BlockHead } from '../node-state.ts';
import type { MembershipView } from './membership.ts';

/** One node. Values nobody could be asked for are null. */
export interface NodeView {
  readonly index: number;
  readonly id: string;
  readonly conductor: ProcessView;
  readonly sequencer: ProcessView;
  /** recovering: catches up after starting with an empty store. removed: the cluster goes on without it. */
  readonly role: 'leader' | 'follower' | 'nonvoter' | 'recovering' | 'removed' | null;
  readonly term: number | null;
  readonly commitIndex: number | null;
  readonly appliedIndex: number | null;
  readonly head: BlockHead | null;
  /** Its execution client; null while nobody says. */
  readonly client: ClientView | null;
  readonly isSequencing: boolean | null;
  readonly isHealthy: boolean | null;
  readonly isPaused: boolean | null;
  /** Recent commits as the leader measured them, in seconds; null when there were none. */
  readonly commitSeconds: { readonly p50: number; readonly p99: number } | null;
}

/** A process in a word, since when (Unix milliseconds), and why it is down. */
export interface ProcessView {
  readonly state: 'idle' | 'running' | 'frozen' | 'down';
  readonly sinceMs: number;
  readonly reason: string;
}

/** An execution client: its own head, and what has happened to it since its process started. */
export interface ClientView {
  readonly number: number;
  /** How often it came back without blocks it had. */
  readonly losses: number;
  /** Payloads it has refused, and the newest of them. */
  readonly refusals: number;
  readonly lastRefused: { readonly number: number; readonly hash: string; readonly reason: string } | null;
}

/** All nodes, in order, and when they were looked at (Unix milliseconds). */
export interface ClusterView {
  readonly atMs: number;
  readonly nodes: readonly NodeView[];
  /** The members as the latest leader knew them; null until one was asked. */
  readonly members: MembershipView | null;
}

/** What is needed of a node to tell changes. */
export type FollowedNode = Pick<
  NodeView,
  'index' | 'id' | 'role' | 'term' | 'head' | 'isSequencing' | 'isHealthy' | 'isPaused'
> &
  Partial<Pick<NodeView, 'client'>>;

/** A cluster whose changes are told: a devnet's, or any other. */
export interface FollowedCluster extends Pick<ClusterView, 'atMs' | 'members'> {
  readonly nodes: readonly FollowedNode[];
}

/** The node that leads in the highest term: an old leader may not have noticed. */
export function leaderOf<Node extends Pick<NodeView, 'role' | 'term'>>(nodes: readonly Node[]): Node | null {
  const leaders = nodes.filter((node) => node.role === 'leader');
  return leaders.toSorted((a, b) => (b.term ?? 0) - (a.term ?? 0))[0] ?? null;
}

/** The highest head any live sequencer has. */
export function highestHead(view: Pick<FollowedCluster, 'nodes'>): BlockHead | null {
  const heads = view.nodes.flatMap(({ head }) => head ?? []);
  return heads.toSorted((a, b) => b.number - a.number)[0] ?? null;
}
