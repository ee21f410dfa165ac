/**
 * Where nodes and log disagree: who stands where, by each server's own word or else the leader's, and what of that
 * needs attention, as sentences.
 */
import {
  isAgainst,
  isSound,
  type Block,
  type ClusterNodes,
  type Disputed,
  type NodeStanding,
  type Word,
} from './cluster-nodes.ts';
import { leaderOf, type ClusterView, type ServerView } from './cluster-view.ts';

/** Blocks by which a client may be behind: some are always on their way. */
const BEHIND_MAX = 8;
const HASH_DIGITS = 8;
/** What is older was not heard, milliseconds. */
const HEARD_MS = 3000;

/**
 * What a server's node and client show; null where neither it nor the leader tells. Its own word is the newer one. Where its
 * log does not end where the leader's does, heights in it are not to be compared: what it says then counts of the very blocks
 * that the leader names.
 */
export function standingOf(view: ClusterView, { id, conductor }: ServerView): NodeStanding | null {
  const leader = leaderNodes(view);
  const own = conductor?.nodes?.nodes.find((one) => one.id === id) ?? null;
  const told = leader?.nodes.find((one) => one.id === id) ?? null;
  const isOfThisLog = leader === null || conductor?.nodes?.committed?.hash === leader.committed?.hash;
  if (own === null || told === null || leader === null) return own ?? told;
  if (isOfThisLog) return own;
  const known = new Set([leader.committed?.hash, ...leader.disputed.map(({ hash }) => hash)]);
  const says = own.says.filter(({ hash }) => known.has(hash));
  const older = wordsOf(told).filter(({ hash }) => !says.some((word) => word.hash === hash));
  return { ...own, verdict: told.verdict, says: [...says, ...older] };
}

/** What the leader knows of all members; null without a leader, or where it is op-conductor. */
export function leaderNodes(view: ClusterView): ClusterNodes | null {
  return leaderOf(view)?.conductor?.nodes ?? null;
}

export function isHeard({ ageMs }: NodeStanding): boolean {
  return ageMs !== null && ageMs <= HEARD_MS;
}

/** What it says of committed blocks; nothing where that is too old. */
export function wordsOf(standing: NodeStanding): readonly Word[] {
  return isHeard(standing) ? standing.says : [];
}

/** Whether it speaks against the block or one below: its client cannot have it then, whatever it says of those above. */
export function speaksAgainst(standing: NodeStanding, block: Block): boolean {
  return wordsOf(standing).some((word) => isAtOrBelow(word, block) && word.kinds.some(isAgainst));
}

/** Whether its client has the block, or one above. */
export function hasBlock(standing: NodeStanding, block: Block): boolean {
  return wordsOf(standing).some((word) => isAtOrBelow(block, word) && word.kinds.some(isSound));
}

/** Both are committed, so that one of two heights is below the other. */
export function isAtOrBelow(low: Block, high: Block): boolean {
  return low.hash === high.hash || low.number < high.number;
}

/** "block 105 (0x1234abcd…)". */
export function named({ number, hash }: Block): string {
  return `block ${number} (${shortHash(hash)})`;
}

export function shortHash(hash: string): string {
  return `${hash.slice(0, 2 + HASH_DIGITS)}…`;
}

/** Who has something against committed blocks, and whose client is behind: sentences with what to do. */
export function disputeTroubles(view: ClusterView): string[] {
  const nodes = leaderNodes(view);
  const committed = nodes?.committed ?? null;
  if (nodes === null || committed === null) return [];
  const below = whyAllBelow(nodes);
  return [
    ...nodes.disputed.slice(0, 1).map(disputeIn),
    ...(below === null ? [] : [below]),
    ...view.servers.flatMap((server) => standingTroubles(view, server, committed)),
  ];
}

/**
 * Most nodes, and all that are known, stand far below the newest committed block: killed clients are brought back from the
 * log, but what L1 took further back than the log reaches is for an operator. Null where somebody is near.
 */
export function whyAllBelow({ committed, nodes }: ClusterNodes): string | null {
  const heads = nodes.flatMap(({ node, client }) =>
    node === null || client === null ? [] : [Math.max(node.number, client.number)],
  );
  if (committed === null || 2 * heads.length <= nodes.length) return null;
  const highest = Math.max(...heads);
  const hasSome = nodes.some(
    ({ verdict, says }) => isSound(verdict) || says.some(({ kinds }) => kinds.some(isAgainst)),
  );
  if (hasSome || committed.number - highest <= BEHIND_MAX) return null;
  return `no node that is heard is above ${highest}, and ${named(committed)} is committed: if they do not rise, they went back below what the log holds, as where a sequencing window expired: conductor runbook left-below-log`;
}

function disputeIn(block: Disputed): string {
  if (block.isProved) return `${named(block)} is given up by the leader: ${block.why}`;
  if (block.isForbidden) return `${block.why}: conductor repair gives it up`;
  return `some node is against a committed block: ${block.why}; conductor repair --dry-run shows who stands where and what can be done`;
}

function standingTroubles(view: ClusterView, server: ServerView, committed: Block): string[] {
  const standing = standingOf(view, server);
  if (standing === null) return [];
  const { id } = server;
  if (isAgainst(standing.verdict)) return [`the node of ${id} is against ${named(committed)}: ${standing.verdict}`];
  const { client, node } = standing;
  const behind = client === null ? 0 : committed.number - client.number;
  if (client === null || behind <= BEHIND_MAX) return [];
  const isLost = node !== null && node.number > client.number;
  const why = isLost ? `, below its op-node at ${node.number}: it has lost its newest blocks` : '';
  return [`the execution client of ${id} is ${behind} blocks behind what is committed, at ${client.number}${why}`];
}
