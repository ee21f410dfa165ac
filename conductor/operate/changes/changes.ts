/**
 * Tells what happened between two looks at a cluster, in one sentence per event: who leads, who
 * belongs to the cluster, who sequences, who is healthy, where blocks went missing, and the one
 * thing that must never be: two hashes at one height.
 */
import { membershipEvents, type MembershipView } from './membership.ts';
import { highestHead, leaderOf, type ClientView, type FollowedCluster, type FollowedNode } from './view.ts';
import type { BlockHead } from '../node-state.ts';
import type { ClusterEvent } from './cluster-event.ts';

/** The last values that were known of a node: it may be silent for a while. */
type Known = Required<Pick<FollowedNode, 'isSequencing' | 'isHealthy' | 'isPaused' | 'client'>>;
const NOTHING_KNOWN: Known = { isSequencing: null, isHealthy: null, isPaused: null, client: null };

/** Heights whose hash is remembered. */
const HEIGHTS_MAX = 512;
/** A wait for a block counts as a gap from this many block times on. */
const GAP_BLOCKS = 1.9;
/** Milliseconds without any leader before that is said. */
const LEADERLESS_MS = 100;

/** Follows a cluster; give it every view in order. */
export class ChangeLog {
  readonly #blockMs: number;
  readonly #hashes = new Map<number, string>();
  readonly #known = new Map<number, Known>();
  #leader: string | null = null;
  #members: MembershipView | null = null;
  #leaderlessSinceMs: number | null = null;
  #hasSaidLeaderless = false;
  #highest: BlockHead | null = null;
  #highestAtMs = 0;

  constructor(blockSeconds: number) {
    this.#blockMs = blockSeconds * 1000;
  }

  /** Events since the view before this one. */
  advance(view: FollowedCluster): ClusterEvent[] {
    const events = [...this.#leadership(view), ...this.#membership(view), ...this.#blocks(view), ...this.#forks(view)];
    for (const node of view.nodes) {
      const known = this.#known.get(node.index) ?? NOTHING_KNOWN;
      events.push(...nodeChanges(known, node, view.atMs));
      this.#known.set(node.index, {
        isSequencing: node.isSequencing ?? known.isSequencing,
        isHealthy: node.isHealthy ?? known.isHealthy,
        isPaused: node.isPaused ?? known.isPaused,
        client: node.client ?? known.client,
      });
    }
    return events;
  }

  #leadership(view: FollowedCluster): ClusterEvent[] {
    const leader = leaderOf(view.nodes);
    if (leader === null) {
      this.#leaderlessSinceMs ??= view.atMs;
      if (this.#leader === null || this.#hasSaidLeaderless || view.atMs - this.#leaderlessSinceMs < LEADERLESS_MS)
        return [];
      this.#hasSaidLeaderless = true;
      return [{ kind: 'leader', atMs: view.atMs, text: 'nobody leads', fields: { leader: '' } }];
    }
    this.#leaderlessSinceMs = null;
    if (leader.id === this.#leader && !this.#hasSaidLeaderless) return [];
    const from = this.#leader;
    this.#leader = leader.id;
    this.#hasSaidLeaderless = false;
    const term = leader.term === null ? '' : ` in term ${leader.term}`;
    const was = from === null || from === leader.id ? '' : `, before it ${from}`;
    const fields = { leader: leader.id, ...(leader.term === null ? {} : { term: leader.term }) };
    return [{ kind: 'leader', atMs: view.atMs, text: `${leader.id} leads${term}${was}`, fields }];
  }

  #membership({ members, atMs }: FollowedCluster): ClusterEvent[] {
    const before = this.#members;
    this.#members = members ?? before;
    return before === null || members === null ? [] : membershipEvents(before, members, atMs);
  }

  #blocks(view: FollowedCluster): ClusterEvent[] {
    const head = highestHead(view);
    if (head === null || (this.#highest !== null && head.number <= this.#highest.number)) return [];
    const waitedMs = this.#highest === null ? 0 : view.atMs - this.#highestAtMs;
    this.#highest = head;
    this.#highestAtMs = view.atMs;
    const block: ClusterEvent = {
      kind: 'block',
      atMs: view.atMs,
      text: `block ${head.number}`,
      fields: { number: head.number, hash: head.hash },
    };
    if (waitedMs < GAP_BLOCKS * this.#blockMs) return [block];
    const text = `no block for ${(waitedMs / 1000).toFixed(1)} s, then block ${head.number}`;
    return [block, { kind: 'gap', atMs: view.atMs, text, fields: { number: head.number, ms: Math.round(waitedMs) } }];
  }

  #forks(view: FollowedCluster): ClusterEvent[] {
    const events: ClusterEvent[] = [];
    for (const { head, id } of view.nodes) {
      if (head === null) continue;
      const known = this.#hashes.get(head.number);
      if (known === undefined) {
        this.#hashes.set(head.number, head.hash);
        this.#hashes.delete(head.number - HEIGHTS_MAX);
      } else if (known !== head.hash) {
        const text = `two blocks at height ${head.number}: ${known.slice(0, 10)} and ${head.hash.slice(0, 10)} on ${id}`;
        const fields = { number: head.number, node: id, hash: head.hash, other: known };
        events.push({ kind: 'fork', atMs: view.atMs, text, fields });
        this.#hashes.set(head.number, head.hash);
      }
    }
    return events;
  }
}

function nodeChanges(before: Known, after: FollowedNode, atMs: number): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  const note = (kind: ClusterEvent['kind'], text: string, fields: ClusterEvent['fields']): void => {
    const space = text.startsWith("'") ? '' : ' ';
    events.push({ kind, atMs, text: `${after.id}${space}${text}`, fields: { node: after.id, ...fields } });
  };
  if (changed(before.isSequencing, after.isSequencing)) {
    const number = after.head === null ? '' : ` at block ${after.head.number}`;
    note('sequencing', after.isSequencing === true ? `sequences${number}` : `stopped sequencing${number}`, {
      active: after.isSequencing === true,
    });
  }
  if (changed(before.isHealthy, after.isHealthy)) {
    note('health', after.isHealthy === true ? 'is healthy' : 'is unhealthy', { healthy: after.isHealthy === true });
  }
  if (changed(before.isPaused, after.isPaused)) {
    note('pause', after.isPaused === true ? 'is paused' : 'is resumed', { paused: after.isPaused === true });
  }
  const { client = null } = after;
  if (before.client !== null && client !== null) clientChanges(before.client, client, note);
  return events;
}

function clientChanges(
  before: ClientView,
  after: ClientView,
  note: (kind: 'execution', text: string, fields: ClusterEvent['fields']) => void,
): void {
  if (after.losses > before.losses) {
    note('execution', `'s execution client lost its head: it is at block ${after.number}`, {
      number: after.number,
    });
  }
  const { lastRefused } = after;
  if (after.refusals > before.refusals && lastRefused !== null) {
    const { number, hash, reason } = lastRefused;
    note('execution', `'s execution client refuses block ${number} (${hash.slice(0, 10)}): ${reason}`, {
      number,
      hash,
    });
  }
}

/** A value that was known and is now another known one. */
function changed(before: boolean | null, after: boolean | null): boolean {
  return before !== null && after !== null && before !== after;
}
