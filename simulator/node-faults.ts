/** What happens to op-node, its execution client, its gossip and the rollup itself. */
import { EVERY_MACHINE, WHO_LEADS, during, kind, type Kind } from './fault.ts';
import { rollBack } from './l1-reorgs.ts';
import type { RollupNode } from './rollup-node.ts';
import type { World } from './world.ts';

/** How long the leader goes on after its gossip has begun to get lost: two blocks of a second. */
const UNHEARD_MS = 2200;

/** Blocks that a node may have above the one with which it went astray. */
export const ASTRAY_MORE_MAX = 2;

/** Whether another client has the head of a node, too. */
function isHeldBeside({ machines, blocks }: World, node: RollupNode): boolean {
  return machines.some((other) => other.node !== node && blocks.isAncestor(node.head, other.node.head));
}

export const nodeFaults = {
  nodeDown: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} is down',
    during(({ node }, by) => node.down(by)),
  ),
  executionDown: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} is down',
    during(({ node }, by) => {
      node.faults.executionDown += by;
      if (by > 0) return;
      node.client.restart();
      node.wake();
    }),
  ),
  slowNode: kind('sequencer', 'machine', true, 'op-node {at} answers {n} ms late', (world, { at, amount }) => {
    const { faults } = world.machine(at).node;
    faults.slowMs += amount;
    return () => {
      faults.slowMs -= amount;
    };
  }),
  stall: kind(
    'sequencer',
    'machine',
    true,
    'the head of {at} stands still',
    during(({ node }, by) => {
      node.faults.stalled += by;
      if (by < 0) node.wake();
    }),
  ),
  unprovisioned: kind(
    'sequencer',
    'machine',
    true,
    'the sequencer of {at} cannot be started',
    during(({ node }, by) => {
      node.faults.unprovisioned += by;
    }),
  ),
  partialBoost: kind(
    'sequencer',
    'machine',
    true,
    'rollup-boost of {at} is partially healthy',
    during(({ node }, by) => {
      node.faults.partialBoost += by;
    }),
  ),
  lostGossip: kind('sequencer', 'machine', false, 'the next blocks of {at} reach nobody', (world, { at, amount }) => {
    world.machine(at).node.faults.lostGossip += 1 + (amount % 5);
  }),
  lostAndKilled: kind(
    'both',
    WHO_LEADS,
    true,
    'two blocks of the leader reach nobody, then its machine is killed',
    (world, event) => {
      const machine = world.leader() ?? world.machine(event.at);
      machine.node.faults.lostGossip += 2;
      let isKilled = false;
      world.queue.after(Math.min(UNHEARD_MS, event.forMs / 2), () => {
        isKilled = true;
        machine.hold(1);
        machine.crash();
        machine.node.down(1);
      });
      return () => {
        if (!isKilled) return;
        machine.node.down(-1);
        machine.hold(-1);
      };
    },
  ),
  lateGossip: kind('none', 'machine', true, 'blocks of {at} reach the others {n} ms late', (world, { at, amount }) => {
    const { faults } = world.machine(at).node;
    faults.lateGossipMs += amount;
    return () => {
      faults.lateGossipMs -= amount;
    };
  }),
  failStop: kind('sequencer', 'machine', false, 'the next stops of sequencer {at} fail', (world, { at, amount }) => {
    world.machine(at).node.faults.failingStops += 1 + (amount % 2);
  }),
  lateBlock: kind(
    'sequencer',
    'machine',
    false,
    'sequencer {at} builds one more block after its next stop',
    (world, { at }) => {
      world.machine(at).node.faults.lateBlocks++;
    },
  ),
  lostAnswer: kind(
    'sequencer',
    'machine',
    false,
    'sequencer {at} is not told what became of its next blocks, and seals others',
    (world, { at, amount }) => {
      world.machine(at).node.faults.lostAnswers += 1 + (amount % 2);
    },
  ),
  droppedPost: kind(
    'sequencer',
    'machine',
    false,
    'op-node {at} drops the next payloads that its conductor posts to it',
    (world, { at, amount }) => {
      world.machine(at).node.faults.droppedPosts += 1 + (amount % 2);
    },
  ),
  brokenConnection: kind(
    'none',
    'machine',
    false,
    'op-node {at} loses the connections in which it commits its next blocks, and commits them again',
    (world, { at, amount }) => {
      world.machine(at).node.faults.brokenConnections += 1 + (amount % 3);
    },
  ),
  rewind: kind(
    'sequencer',
    'machine',
    false,
    'op-node {at} restarts and has lost its last blocks',
    (world, { at, amount }) => {
      const { node } = world.machine(at);
      // What nobody has any more is left to operators (conductor runbook left-below-log).
      if (!isHeldBeside(world, node)) return;
      node.halt();
      node.rewind(1 + (amount % 6));
    },
  ),
  astray: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} has another block than the last one that was published, or several ({n})',
    (world, { at, amount }) => {
      const { node } = world.machine(at);
      // What no other node holds may be left for good where the log is told that it cannot be had (rule 6).
      if (node.isUp && isHeldBeside(world, node)) return node.goAstray(amount % (ASTRAY_MORE_MAX + 1));
    },
  ),
  rollback: kind('none', EVERY_MACHINE, false, 'the rollup goes back some blocks', (world, { amount }) =>
    rollBack(world, 1 + (amount % 4)),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
