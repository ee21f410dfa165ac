import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import { overrideLeader } from './override.ts';
import { World } from './world.ts';

const numbers = { afterMs: 0, at: 2, to: 0, forMs: 0, amount: 0 };

function formed() {
  const judge = new Judge();
  const world = World.form({ ...defaultConfiguration, seed: 3 }, judge, (built) => judge.watch(built));
  return { world, judge };
}

describe('an override', () => {
  it('one node alone sequences, without the log, and afterwards the log takes its blocks', () => {
    const { world, judge } = formed();
    const end = overrideLeader(world, numbers);
    world.run(3000);
    expect(world.machines.map(({ node }) => [node.isActive, node.isUnconducted])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    const overridden = world.machine(2).node.head.number;
    world.run(5000);
    expect(world.machine(2).node.head.number).toBeGreaterThanOrEqual(overridden + 4);
    expect(world.leader()?.conductor?.committedHead()?.number).toBeLessThan(BigInt(overridden));
    end?.();
    world.run(8000);
    expect(world.machines.some(({ node }) => node.isUnconducted)).toBe(false);
    const sequencing = world.machines.filter(({ node }) => node.isActive);
    expect(sequencing).toEqual([world.leader()]);
    expect(Number(world.leader()?.conductor?.committedHead()?.number)).toBeGreaterThan(overridden + 4);
    expect(judge.violation).toBeNull();
    expect(judge.sometimes.get('an operator overrides the leader')).toBe(1);
  });

  it('there is one at a time', () => {
    const { world } = formed();
    const end = overrideLeader(world, numbers);
    expect(overrideLeader(world, { ...numbers, at: 1 })).toBeUndefined();
    world.run(3000);
    expect(world.machines.filter(({ node }) => node.isUnconducted)).toEqual([world.machine(2)]);
    end?.();
    world.run(3000);
    expect(overrideLeader(world, { ...numbers, at: 1 })).toBeTypeOf('function');
  });

  it('is given up when a conductor cannot be paused', () => {
    const { world, judge } = formed();
    world.machine(1).freeze(1);
    const end = overrideLeader(world, numbers);
    world.run(8000);
    expect(world.machines.some(({ node }) => node.isUnconducted)).toBe(false);
    world.machine(1).freeze(-1);
    end?.();
    world.run(8000);
    expect(judge.sometimes.has('an operator overrides the leader')).toBe(false);
    expect(world.leader()?.node.isActive).toBe(true);
  });
});
