/** L1 replaces its newest blocks: the rollup goes back with them, and every node finds out by itself. */
import type { Block } from './blocks.ts';
import type { RollupNode } from './rollup-node.ts';
import type { World } from './world.ts';

/** Each node hears of a rollback within so long, milliseconds. */
const ROLLBACK_HEARD_MS = 1500;

/** The rollup goes back, never below where it went before: every node finds out by itself, within a second or two. */
export function rollBack(world: World, depth: number): void {
  const { blocks } = world;
  const tip = highestHead(world);
  const lowest = blocks.ancestor(tip, Math.max(blocks.floor, tip.number - depth) + 1);
  replaceFrom(world, lowest.origin, ROLLBACK_HEARD_MS);
}

/** L1 replaces its newest blocks: what has one of them as its origin dies. Each node hears of it within so long. */
export function reorgL1(world: World, depth: number, withinMs: number): void {
  replaceFrom(world, highestHead(world).origin - depth + 1, withinMs);
}

/** Between two looks of a node for what it can derive again. */
const DERIVES_EVERY_MS = 4000;

/**
 * A node whose L1 endpoint is back on the branch of the others reads their batches there, until another fork begins: what is safe for
 * them becomes its head again, also where its conductor gives it nothing.
 */
export function deriveFromBatches(world: World, node: RollupNode): void {
  const { blocks, queue } = world;
  if (node.l1.forkedFrom !== null) return;
  const safe = blocks.safeHead(highestHead(world), queue.nowMs);
  const { head } = node;
  if (head.number >= safe.number) return;
  const later = (): void => void queue.after(DERIVES_EVERY_MS, () => deriveFromBatches(world, node));
  if (!blocks.isAncestor(head, safe) || node.isActive || !node.mayInsert) return later();
  node.insert(blocks.ancestor(safe, head.number + 1), (status) => {
    if (status === 'VALID') deriveFromBatches(world, node);
    else later();
  });
}

function highestHead({ blocks, machines }: World): Block {
  const heads = machines.map(({ node }) => blocks.lastLiving(node.head));
  return heads.reduce((highest, head) => (head.number > highest.number ? head : highest));
}

/** From this L1 block on, but for the first; nothing dies where none of them is the origin of a block. */
function replaceFrom(world: World, lowest: number, withinMs: number): void {
  const { blocks, l1 } = world;
  const tip = highestHead(world);
  // What stays for the floor's sake keeps its origin.
  const kept = blocks.ancestor(tip, Math.min(tip.number, blocks.floor));
  const from = Math.max(1, lowest, blocks.floor > 0 ? kept.origin + 1 : 0);
  if (tip.origin < from) return;
  const floor = lastBefore(world, from, tip).number;
  const { reorgs } = l1;
  const { branch } = blocks;
  l1.reorgFrom(from);
  blocks.rollBackTo(Math.max(blocks.floor, floor), from);
  for (const { node } of world.machines) {
    node.l1.seen = Math.min(node.l1.seen, branch);
    node.l1.reorgsSeen = Math.min(node.l1.reorgsSeen, reorgs);
    world.queue.after(world.random.between(0, withinMs), () => {
      node.l1.seen = Infinity;
      node.l1.reorgsSeen = Infinity;
      node.derive();
    });
  }
}

function lastBefore({ blocks }: World, origin: number, head: Block): Block {
  let at = blocks.lastLiving(head);
  while (at.origin >= origin && at !== blocks.genesis) at = blocks.parentOf(at) ?? blocks.genesis;
  return at;
}
