/**
 * What can be done where a committed block stops the chain: one way, or why none is safe. A pure function of what was
 * observed. What the conductors find out by themselves is left to them; nothing is proposed that could make two
 * sequencers or, where the nodes do not prove that the block is dead, go below a safe head, or give up what a server that
 * answers can build on.
 */
import { howToResume, howToTakeBack, whySecond } from './advice.ts';
import { isAgainst, type Block, type ClusterNodes, type Disputed, type Word } from './cluster-nodes.ts';
import { leaderOf, votersOf, type ClusterView, type ServerView } from './cluster-view.ts';
import {
  hasBlock,
  isAtOrBelow,
  isHeard,
  leaderNodes,
  named,
  speaksAgainst,
  standingOf,
  whyAllBelow,
  wordsOf,
} from './disputes.ts';
import { whyIneligibleToTake } from './eligibility.ts';
import { buildingOf } from './sequencers.ts';

export type RepairPlan =
  /** No committed block is in the way; `why` says what is seen instead. */
  | { readonly kind: 'nothing'; readonly why: string }
  /** A server has the block: it goes on from there. */
  | { readonly kind: 'transfer'; readonly to: string; readonly why: string }
  /** Clients that were killed refuse it, as a damaged one refuses any: they are to be restarted first, by an operator. */
  | { readonly kind: 'restart'; readonly servers: readonly string[]; readonly why: string }
  /** Nobody who answers can build on it, and the clients of `silent` may have it; or it is proved, and who has it is of no account. */
  | { readonly kind: 'giveUp'; readonly block: Block; readonly silent: readonly string[]; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

export function planRepair(view: ClusterView): RepairPlan {
  const leader = leaderOf(view);
  if (leader === null) return { kind: 'refused', why: 'nobody leads: conductor status says what to do first' };
  const nodes = leaderNodes(view);
  if (nodes === null)
    return { kind: 'refused', why: `${leader.id} does not tell who stands where: it is op-conductor, or too old` };
  const block = inTheWay(view, nodes);
  const proved = nodes.disputed.find(({ isProved, isForbidden }) => isProved || isForbidden);
  // What is proved goes first; the leader goes on by itself from where it does not, unless that is forbidden to it.
  if (proved !== undefined && (proved.isForbidden || block === null || proved.number <= block.number)) {
    const why = whyAtRest(view, leader) ?? whyLeftBelow(view, nodes, proved);
    if (why !== null) return { kind: 'refused', why };
    if (proved.isForbidden) return againstTheSetting(view, leader, proved);
    return {
      kind: 'nothing',
      why: `the nodes prove it, and the leader gives ${named(proved)} up by itself: ${proved.why}`,
    };
  }
  const below = block === null ? whyAllBelow(nodes) : null;
  if (below !== null) return { kind: 'refused', why: below };
  if (block === null)
    return {
      kind: 'nothing',
      why: 'no node speaks against a committed block; conductor status says what else is wrong',
    };
  const holder = holderOf(view, block);
  if (holder !== null) return throughHolder(view, leader, holder, block);
  const servers = refusingOnce(view, block);
  if (servers.length > 0) return { kind: 'restart', servers, why: whyRestart(servers, block) };
  const why = whyNotGivingUp(view, block);
  if (why !== null) return { kind: 'refused', why };
  const silent = view.servers.filter((server) => isSilent(view, server)).map(({ id }) => id);
  return {
    ...{ kind: 'giveUp', block, silent },
    why: 'no server that answers has it, stands on it, or has it in its safe chain',
  };
}

/** It is proved, and only the setting keeps the leader from acting on that. */
function againstTheSetting(view: ClusterView, leader: ServerView, block: Disputed): RepairPlan {
  if (buildingOf(leader) === 'builds' && holds(view, leader, block))
    return { kind: 'nothing', why: `${leader.id} leads, has ${named(block)} and builds on it; ${block.why}` };
  const why = whyNotGivingUp(view, block);
  return why === null ? { kind: 'giveUp', block, silent: [], why: block.why } : { kind: 'refused', why };
}

/** The lowest block that is disputed, or at the tip refused, and that nobody has; where all have somebody, the highest. */
function inTheWay(view: ClusterView, { disputed }: ClusterNodes): Block | null {
  const tip = refusedTip(view);
  const blocks: readonly Block[] = tip === null ? disputed : [...disputed, tip];
  return blocks.find((block) => holderOf(view, block) === null) ?? blocks.at(-1) ?? null;
}

/** The newest committed block, where it stops the chain without proof: all clients that could speak were killed. */
function refusedTip(view: ClusterView): Block | null {
  const committed = leaderNodes(view)?.committed ?? null;
  if (committed === null) return null;
  return view.servers.some((server) => standingOf(view, server)?.refuses?.hash === committed.hash) ? committed : null;
}

/** Servers whose clients were killed, refuse the block, and were not restarted since: that may be damage. */
function refusingOnce(view: ClusterView, block: Block): readonly string[] {
  if (isRefusedByMost(view, block)) return [];
  const isOnce = (server: ServerView): boolean =>
    standingOf(view, server)?.refuses?.hash === block.hash && !isRefusing(view, server, block);
  return view.servers.filter(isOnce).map(({ id }) => id);
}

/** It refuses the block, or its client calls it invalid after a restart, too. */
function isRefusing(view: ClusterView, server: ServerView, block: Block): boolean {
  return refusedBy(view, server, block).length > 0;
}

/**
 * Hashes of what keeps a server from the block: of the block itself, and of those below that it refuses and nobody has. Who
 * refuses one that others have is alone with that. What was not taken of older blocks says nothing of this one.
 */
function refusedBy(view: ClusterView, server: ServerView, block: Block): readonly string[] {
  const standing = standingOf(view, server);
  if (standing === null) return [];
  const counts = ({ hash, number, kinds }: Word): boolean =>
    hash === block.hash
      ? kinds.some(isAgainst)
      : number < block.number &&
        kinds.some((kind) => isAgainst(kind) && kind !== 'notTaken') &&
        holderOf(view, { hash, number }) === null;
  const words = wordsOf(standing)
    .filter(counts)
    .map(({ hash }) => hash);
  return standing.refuses?.hash === block.hash && standing.refuses.isAgain ? [...words, block.hash] : words;
}

/** By most voters, and of one and the same block. */
function isRefusedByMost(view: ClusterView, block: Block): boolean {
  const voters = votersOf(view);
  const counts = new Map<string, number>();
  for (const server of view.servers.filter(({ id }) => voters.some((voter) => voter.id === id)))
    for (const hash of new Set(refusedBy(view, server, block))) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return [...counts.values()].some((count) => 2 * count > voters.length);
}

function whyRestart(servers: readonly string[], block: Block): string {
  const clients = servers.length > 1 ? 'clients' : 'client';
  return `the execution ${clients} of ${servers.join(', ')} died, and may call ${named(block)} invalid because of what was lost: restart the ${clients}, then run this again`;
}

/** Neither the server nor its client answers; op-conductor does not tell of its client. */
function isSilent(view: ClusterView, server: ServerView): boolean {
  if (server.conductor === null) return true;
  const standing = standingOf(view, server);
  return standing !== null && standing.isNative && standing.client === null;
}

/** Why the block must stay as long as these clients say nothing; null where most voters are against it, or all that answer. */
function whyUndecided(view: ClusterView, block: Block): string | null {
  const isUndecided = (server: ServerView): boolean =>
    standingOf(view, server)?.isNative === true && !isSilent(view, server) && !isRefusing(view, server, block);
  const ids = view.servers.filter(isUndecided).map(({ id }) => id);
  if (ids.length === 0 || isRefusedByMost(view, block)) return null;
  return `the execution client of ${ids.join(', ')} answers, and neither takes nor refuses ${named(block)} yet: wait, or see in conductor status and in its log why it does not`;
}

/** Why the leader could not build in its place; it hands leadership on by itself, unless it is told to try again. */
function whyBelowParent(view: ClusterView, leader: ServerView, block: Block): string | null {
  const standing = standingOf(view, leader);
  const head = standing?.client ?? standing?.node ?? null;
  if (head === null || head.number + 1 >= block.number) return null;
  return `${leader.id} leads, and its node is at ${head.number}, below the parent of ${named(block)}: wait until another leads, or transfer leadership to a server whose node is there`;
}

/** Nobody builds where a node has left the block below, too, and that is not proved (rule 6). */
function whyLeftBelow(view: ClusterView, { disputed }: ClusterNodes, proved: Block): string | null {
  const hasLeft = (server: ServerView, { hash }: Block): boolean => {
    const standing = standingOf(view, server);
    const isLeft = (word: Word): boolean =>
      word.hash === hash && word.kinds.some((kind) => ['left', 'l1'].includes(kind));
    return standing !== null && wordsOf(standing).some(isLeft);
  };
  for (const block of disputed.filter(({ number, isProved }) => number < proved.number && !isProved)) {
    const ids = view.servers.filter((server) => hasLeft(server, block)).map(({ id }) => id);
    if (ids.length > 0)
      return `${named(proved)} is proved to be gone, but the op-node of ${ids.join(', ')} has left ${named(block)} as well, which others keep: their L1 endpoints show different chains. The chain goes on when these agree; look which of them is right`;
  }
  return null;
}

/** Why the leader starts no sequencer; null when it does. */
function whyAtRest(view: ClusterView, leader: ServerView): string | null {
  const { conductor, id } = leader;
  if (conductor?.isPaused === true || conductor?.isStopped === true)
    return `the conductor of ${id} is paused, and starts nothing: ${howToResume(view, leader)}`;
  if (conductor?.isOverridden === true)
    return `${id} is overridden, and leaves its sequencer to you; ${howToTakeBack(id)}`;
  return null;
}

/** Why the block must not be given up now, as a sentence; null when it may. */
export function whyNotGivingUp(view: ClusterView, block: Block): string | null {
  const leader = leaderOf(view);
  if (leader === null) return 'nobody leads';
  const isProved = leaderNodes(view)?.disputed.some(({ hash, isForbidden }) => hash === block.hash && isForbidden);
  return (
    whyAtRest(view, leader) ??
    (isProved === true ? whyOnIt(view, leader, block) : whyKept(view, block)) ??
    whyBelowParent(view, leader, block) ??
    whySecond(view, { kind: 'start', server: leader, stopped: [] })
  );
}

/** Why a block must stay of which the nodes do not prove that it is dead; null when it need not. */
function whyKept(view: ClusterView, block: Block): string | null {
  const safe = safeAbove(view, block);
  if (safe !== null) return safe;
  const holder = holderOf(view, block);
  if (holder !== null) return `${holder.id} has ${named(block)}: hand leadership to it, or find out why it cannot lead`;
  return nodeAbove(view, block) ?? whyUndecided(view, block);
}

/** Why this leader would not build in the place of a block that is proved dead. */
function whyOnIt(view: ClusterView, leader: ServerView, block: Block): string | null {
  if (!holds(view, leader, block)) return null;
  return `${leader.id} leads, and its node has ${named(block)}, in whose place it would not build: wait until another leads, or transfer leadership to a server that is against the block`;
}

/**
 * A server that can go on from the block: its client has it or one above, or its op-node stands on it. Of several the leader
 * that builds, then one that has the newest committed block, then one that can take the lead.
 */
function holderOf(view: ClusterView, block: Block): ServerView | null {
  const tip = leaderNodes(view)?.committed ?? block;
  const holders = view.servers.filter((server) => holds(view, server, block));
  const leader = leaderOf(view);
  const rank = (server: ServerView): number => {
    if (server === leader && buildingOf(leader) === 'builds') return -1;
    return (holds(view, server, tip) ? 0 : 2) + (whyIneligibleToTake(view, server.id) === null ? 0 : 1);
  };
  return holders.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

function holds(view: ClusterView, server: ServerView, block: Block): boolean {
  const standing = standingOf(view, server);
  const committed = leaderNodes(view)?.committed ?? null;
  const standsOn = (head: Block | null): boolean => head !== null && [block.hash, committed?.hash].includes(head.hash);
  // What its op-node says now is newer than any word.
  if (standsOn(server.node?.unsafeHead ?? null)) return true;
  if (standing === null || speaksAgainst(standing, block)) return false;
  return hasBlock(standing, block) || standsOn(standing.node);
}

/** An op-node that is as high, and of which nothing else is known, may stand on the block. */
function nodeAbove(view: ClusterView, block: Block): string | null {
  for (const server of view.servers) {
    const head = server.node?.unsafeHead ?? null;
    const standing = standingOf(view, server);
    if (head !== null && head.number >= block.number && (standing === null || !isHeard(standing)))
      return `the op-node of ${server.id} is at ${head.number}, and may stand on ${named(block)}: its conductor says nothing of it`;
  }
  return null;
}

function throughHolder(view: ClusterView, leader: ServerView, holder: ServerView, block: Block): RepairPlan {
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
    const hasOther = standing?.says.some((word) => word.kinds.includes('l1') && isAtOrBelow(word, block)) === true;
    if (safe !== null && safe >= block.number && !hasOther)
      return `the safe chain of ${server.id} is at ${safe} and holds ${named(block)}: nothing at or below a safe head is given up`;
  }
  return null;
}
