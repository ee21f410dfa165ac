import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { isAlone } from './gossip.ts';
import { Judge } from './judge.ts';
import { kinds, type EventKind } from './faults.ts';
import { World } from './world.ts';

/** Three servers, the first of which leads. */
function formed(): World {
  const judge = new Judge([]);
  return World.form({ ...defaultConfiguration, seed: 5 }, judge, (built) => judge.watch(built));
}

function begin(world: World, kind: EventKind, at: number): () => void {
  const end = kinds[kind].act(world, { afterMs: 0, at, to: 0, forMs: 4000, amount: 0 });
  return end ?? (() => undefined);
}

/** Until between two blocks, when the last one has got to everybody. */
function runFor(world: World, ms: number): void {
  world.run(ms);
  world.run(1500 - (world.nowMs % 1000));
}

const heads = ({ machines }: World): number[] => machines.map(({ node }) => node.head.number);

describe('gossip', () => {
  it('gets to nobody who is cut off, and to the others', () => {
    const world = formed();
    begin(world, 'isolate', 2);
    const [, , before] = heads(world);
    runFor(world, 4000);
    const [first, second, third] = heads(world);
    expect(third).toBe(before);
    expect(first).toBeGreaterThan(before! + 2);
    expect(second).toBe(first);
  });

  it('goes round a link that is cut', () => {
    const world = formed();
    begin(world, 'split', 0);
    runFor(world, 4000);
    expect(new Set(heads(world)).size).toBe(1);
  });

  it('does not pass a link that lets nothing back', () => {
    const world = formed();
    begin(world, 'mute', 2);
    expect(world.reachedFrom(world.machine(0))).toEqual(new Set(world.machines.slice(0, 2)));
  });

  it('once the network is whole again, what was missed comes from another client', () => {
    const world = formed();
    const restore = begin(world, 'isolate', 2);
    runFor(world, 4000);
    restore();
    runFor(world, 9000);
    expect(new Set(heads(world)).size).toBe(1);
  });
});

describe('a node has no peers', () => {
  const aloneOf = (world: World): boolean[] => world.machines.map((machine) => isAlone(world, machine));

  it('where it is cut off from all others, and only there', () => {
    const world = formed();
    expect(aloneOf(world)).toEqual([false, false, false]);
    begin(world, 'split', 0);
    expect(aloneOf(world)).toEqual([false, false, false]);
    begin(world, 'deafen', 1);
    expect(aloneOf(world)).toEqual([false, true, false]);
  });

  it('and a server without others has those around it', () => {
    const judge = new Judge([]);
    const world = World.form({ ...defaultConfiguration, servers: 1 }, judge, (built) => judge.watch(built));
    expect(aloneOf(world)).toEqual([false]);
  });
});
