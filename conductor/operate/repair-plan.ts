/**
 * What can be done where a committed block stops the chain: one way, or why none is safe. A pure function of what was
 * observed. What the conductors find out by themselves is left to them; nothing is proposed that could make two
 * sequencers, go below a safe head, or give up what a server that answers can build on.
 */
import { howToResume, whySecond } from './advice.ts';
import { isSound, type Block, type Disputed, type NodeStanding } from './cluster-nodes.ts';
import { leaderOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { leaderNodes, named, standingOf } from './disputes.ts';
import { whyIneligibleToTake } from './eligibility.ts';
import { buildingOf } from './sequencers.ts';

export type RepairPlan =
  /** No committed block is in the way; `why` says what is seen instead. */
  | { readonly kind: 'nothing'; readonly why: string }
  /** A server has the block: it goes on from there. */
  | { readonly kind: 'transfer'; readonly to: string; readonly why: string }
  /** Nobody who answers can build on it. */
  | { readonly kind: 'giveUp'; readonly block: Block; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

export function planRepair(view: ClusterView): RepairPlan {
  const leader = leaderOf(view);
  if (leader === null) return { kind: 'refused', why: 'nobody leads: conductor status says what to do first' };
  const nodes = leaderNodes(view);
  if (nodes === null)
    return { kind: 'refused', why: `${leader.id} does not tell who stands where: it is op-conductor, or too old` };
  const [block] = nodes.disputed;
  if (block === undefined)
    return {
      kind: 'nothing',
      why: 'no node speaks against a committed block; conductor status says what else is wrong',
    };
  if (block.isProved)
    return {
      kind: 'nothing',
      why: `the nodes prove it, and the leader gives ${named(block)} up by itself: ${block.why}`,
    };
  const holder = holderOf(view, block);
  if (holder !== null) return throughHolder(view, leader, holder, block);
  const why = whyNotGivingUp(view, block);
  if (why !== null) return { kind: 'refused', why };
  return { kind: 'giveUp', block, why: 'no server that answers has it, stands on it, or has it in its safe chain' };
}

/** Why the block must not be given up now, as a sentence; null when it may. */
export function whyNotGivingUp(view: ClusterView, block: Block): string | null {
  const leader = leaderOf(view);
  if (leader === null) return 'nobody leads';
  const { conductor, id } = leader;
  if (conductor?.isPaused === true || conductor?.isStopped === true)
    return `the conductor of ${id} is paused, and starts nothing: ${howToResume(view, leader)}`;
  if (conductor?.isOverridden === true)
    return `${id} is overridden, and leaves its sequencer to you: take that back first (conductor_overrideLeader [false])`;
  const safe = safeAbove(view, block);
  if (safe !== null) return safe;
  const holder = holderOf(view, block);
  if (holder !== null) return `${holder.id} has ${named(block)}: hand leadership to it, or find out why it cannot lead`;
  return whySecond(view, { kind: 'start', server: leader, stopped: [] });
}

/** A server that can go on from the block: its client has it, or its op-node stands on it. */
function holderOf(view: ClusterView, block: Block): ServerView | null {
  const committed = leaderNodes(view)?.committed ?? null;
  const standsOn = (head: Block | null): boolean => head !== null && [block.hash, committed?.hash].includes(head.hash);
  const holds = (server: ServerView): boolean => {
    const standing = standingOf(view, server);
    // What its op-node says now is newer than any word.
    if (standsOn(server.node?.unsafeHead ?? null)) return true;
    return standing?.isAgainst !== true && (isHolding(standing) || standsOn(standing?.node ?? null));
  };
  return view.servers.find(holds) ?? null;
}

function isHolding(standing: NodeStanding | null): boolean {
  return standing !== null && isSound(standing.verdict);
}

function throughHolder(view: ClusterView, leader: ServerView, holder: ServerView, block: Disputed): RepairPlan {
  const { id } = holder;
  if (holder === leader) {
    if (buildingOf(leader) === 'builds')
      return {
        kind: 'nothing',
        why: `${id} leads, has ${named(block)} and builds on it; those against it have to be repaired`,
      };
    return { kind: 'refused', why: `${id} leads and has ${named(block)}: see in its log why it does not build` };
  }
  const why = whyIneligibleToTake(view, id) ?? whySecond(view, { kind: 'lead', id });
  if (why !== null)
    return { kind: 'refused', why: `${id} has ${named(block)} and should lead, which it cannot now: ${why}` };
  return { kind: 'transfer', to: id, why: `${id} has ${named(block)}, and ${leader.id} does not` };
}

function safeAbove(view: ClusterView, block: Block): string | null {
  for (const server of view.servers) {
    const standing = standingOf(view, server);
    const safe = standing?.safe ?? null;
    if (safe !== null && safe >= block.number && standing?.verdict !== 'l1')
      return `the safe chain of ${server.id} is at ${safe} and holds ${named(block)}: nothing at or below a safe head is given up`;
  }
  return null;
}
