import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { emergency } from './emergency.ts';
import { Judge } from './judge.ts';
import { overrideLeader } from './override.ts';
import { World } from './world.ts';

const numbers = { afterMs: 0, to: 0, forMs: 0, amount: 0 };

function formed(servers: number) {
  const judge = new Judge();
  const world = World.form({ ...defaultConfiguration, servers, seed: 3 }, judge, (built) => judge.watch(built));
  return { world, judge };
}

describe('the emergency path', () => {
  it.each([
    ['a follower of three', 3, 2],
    ['the leader of three', 3, 0],
    ['a follower of five', 5, 1],
  ])('%s sequences alone for as long as the operator wants, and the log takes its blocks', (_, servers, at) => {
    const { world, judge } = formed(servers);
    const survivor = world.machine(at);
    const end = emergency(world, { ...numbers, at });
    world.run(3000);
    expect([survivor.node.isActive, survivor.node.isUnconducted]).toEqual([true, true]);
    expect(world.machines.filter((machine) => machine.isUp)).toEqual([survivor]);
    const height = survivor.node.head.number;
    world.run(20_000);
    expect(survivor.node.head.number).toBeGreaterThanOrEqual(height + 19);
    end?.();
    world.run(15_000);
    expect(judge.violation).toBeNull();
    const sequencing = world.machines.filter(({ node }) => node.isActive);
    expect(sequencing).toEqual([world.leader()]);
    expect(world.machines.some(({ node, conductor }) => node.isUnconducted || conductor === null)).toBe(false);
    expect(Number(world.leader()?.conductor?.committedHead()?.number)).toBeGreaterThan(height + 20);
    expect(judge.sometimes.get('an operator overrides the leader')).toBe(1);
  });

  it('is not gone while an operator overrides another one', () => {
    const { world } = formed(3);
    const end = overrideLeader(world, { ...numbers, at: 1 });
    expect(emergency(world, { ...numbers, at: 2 })).toBeUndefined();
    expect(world.machines.every((machine) => machine.isUp)).toBe(true);
    end?.();
  });
});
