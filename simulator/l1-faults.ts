/** What happens to L1, and to what the nodes see of it. */
import { EVERY_MACHINE, kind, type Kind } from './fault.ts';
import { deriveFromBatches, reorgL1 } from './l1-reorgs.ts';

/** A slow L1 holds the nodes up one after the other, within so long. */
const SLOW_WITHIN_MS = 900;

/** L1 blocks that a reorg of that amount replaces, at most. */
const DEPTH_MAX = 3;

/** Who was on another branch alone is offered the chain again after two slots of L1, and takes it. */
const FORKS_APART_MS = 30_000;

/** When its op-node has read the batches there again: later than its conductor gives it what its log holds. */
const BATCHES_READ_MS = 20_000;

/** Blocks until sequencers are as far ahead of the safe head as they may be, at most. */
const LAG_MORE_MAX = 4;

export const l1Faults = {
  l1Reorg: kind(
    'none',
    EVERY_MACHINE,
    true,
    'L1 replaces its newest blocks, up to three of them ({n}), and every node hears of it at another time',
    (world, { forMs, amount }) => {
      reorgL1(world, 1 + (amount % DEPTH_MAX), forMs);
      return () => undefined;
    },
  ),
  l1Fork: kind(
    'sequencer',
    'machine',
    true,
    'the L1 endpoint of {at} alone is on another branch, from up to two blocks back or from the next block on ({n})',
    (world, { at, amount }) => {
      const { node } = world.machine(at);
      // Of two at once, or while the first stands where it went, nobody could tell that they are not the majority that is right.
      if (world.nowMs - world.l1ForkedUntilMs < FORKS_APART_MS) return;
      world.l1ForkedUntilMs = Infinity;
      node.l1.forkedFrom = Math.max(1, node.head.origin + 1 - (amount % 3));
      node.derive();
      return () => {
        node.l1.forkedFrom = null;
        world.l1ForkedUntilMs = world.nowMs;
        node.derive();
        world.queue.after(BATCHES_READ_MS, () => deriveFromBatches(world, node));
      };
    },
  ),
  slowL1: kind(
    'none',
    EVERY_MACHINE,
    true,
    'L1 answers nobody, and every op-node waits for it',
    (world, { at, forMs }) => {
      const { machines, queue } = world;
      // Whoever asks last waits as long as the first.
      const spreadMs = Math.min(SLOW_WITHIN_MS, forMs / 2);
      machines.forEach((_, turn) => {
        const { faults } = world.machine(at + turn).node;
        queue.after((spreadMs * turn) / machines.length, () => {
          faults.fetching++;
        });
      });
      return () => {
        for (const { node } of machines) {
          node.faults.fetching--;
          node.wake();
        }
      };
    },
  ),
  slowBeacon: kind(
    'none',
    'nobody',
    true,
    'derivation waits for one answer of the beacon node, and every op-node’s event loop with it',
    ({ machines }) => {
      for (const { node } of machines) node.holdLoop(1);
      return () => {
        for (const { node } of machines) node.holdLoop(-1);
      };
    },
  ),
  safeLag: kind(
    'none',
    EVERY_MACHINE,
    true,
    'the batcher stands, and sequencers pause when they are so many blocks ahead of the safe head (--sequencer.max-safe-lag)',
    (world, { amount }) => {
      const { blocks, machines } = world;
      // There is one batcher.
      if (blocks.isBatcherStanding) return;
      const { head, safe } = (world.leader() ?? world.machine(0)).node;
      blocks.batchedMax = safe.number;
      for (const { node } of machines)
        node.sequencing.maxSafeLag = head.number - safe.number + 1 + (amount % LAG_MORE_MAX);
      return () => {
        blocks.batchedMax = Infinity;
        for (const { node } of machines) node.sequencing.maxSafeLag = 0;
      };
    },
  ),
  l1Stands: kind(
    'none',
    EVERY_MACHINE,
    true,
    'no L1 block comes, and sequencers are as far ahead of L1 as they may be',
    (world) => {
      world.l1.stand(1, world.nowMs);
      return () => {
        world.l1.stand(-1, world.nowMs);
        for (const { node } of world.machines) node.wake();
      };
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
