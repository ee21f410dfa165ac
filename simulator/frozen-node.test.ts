import { expect, it } from 'vitest';
import type { Block } from './blocks.ts';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import { kinds } from './faults.ts';
import type { Machine } from './machine.ts';
import { World } from './world.ts';

class Listener extends Judge {
  readonly publishers: string[] = [];

  override published(machine: Machine, block: Block): void {
    super.published(machine, block);
    this.publishers.push(machine.id);
  }
}

/** Three servers, the first of which leads; its op-node is frozen a moment after `beforeMs` of a second. */
function frozenAt(beforeMs: number) {
  const judge = new Listener();
  const world = World.form({ ...defaultConfiguration, seed: 5 }, judge, (built) => judge.watch(built));
  world.run(5000);
  world.run(1000 - (world.nowMs % 1000) + beforeMs);
  judge.publishers.length = 0;
  const thaw = kinds.nodeFrozen.act(world, { afterMs: 0, at: 0, to: 0, forMs: 6000, amount: 0 });
  return { judge, world, first: world.machine(0), thaw: thaw ?? (() => undefined) };
}

it('a frozen op-node publishes nothing, and another one goes on', () => {
  const { judge, world } = frozenAt(500);
  world.run(6000);
  expect(judge.publishers).not.toContain('s0');
  expect(judge.publishers.length).toBeGreaterThan(2);
  expect(judge.violation).toBeNull();
});

it('what it was told while it was frozen it does when it goes on: it publishes the block, and stops', () => {
  // A block is sealed 50 ms before its time, and its commit takes some ms.
  const { judge, world, first, thaw } = frozenAt(951);
  expect(first.node.isActive).toBe(true);
  world.run(6000);
  expect(judge.publishers).not.toContain('s0');
  expect(first.node.isActive).toBe(true);
  thaw();
  world.run(10);
  expect(judge.publishers.filter((id) => id === 's0')).toHaveLength(1);
  expect(first.node.isActive).toBe(false);
  world.run(5500);
  expect(new Set(world.machines.map(({ node }) => node.head.number)).size).toBe(1);
  expect(judge.violation).toBeNull();
});
