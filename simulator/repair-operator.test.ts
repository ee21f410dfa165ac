import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import { repairedMs } from './oracles/disagreement-bounds.ts';
import { RepairOperator } from './repair-operator.ts';
import { World } from './world.ts';

const HEAD_LOST = { isSick: false };

/** A cluster of three whose newest block is invalid for the clients of the bits, and whose clients are all killed beside it. */
function standing(bits: number, { isSick } = HEAD_LOST, engine = 0) {
  const judge = new Judge();
  const configuration = { ...defaultConfiguration, seed: 5, trailingLogs: 1000, engine };
  const world = World.form(configuration, judge, (built) => judge.watch(built));
  const operator = new RepairOperator(world);
  world.operator = operator;
  world.run(8000);
  const leader = world.leader()!;
  const { number } = leader.node.head;
  const next = world.spoiled.spoilNext(1, bits);
  // One that nobody refuses is spoiled, too, for it to be told by its number.
  world.until('it is sealed and published', () => leader.node.head.number > number || next.left === 0);
  world.run(30);
  for (const { node } of world.machines) {
    node.faults.executionDown++;
    // Damaged ones stand on its parent.
    node.client.lose(isSick ? 1 : 3);
  }
  world.run(3000);
  for (const { node } of world.machines) {
    node.client.restart();
    if (isSick) node.client.sicken(true);
    node.faults.executionDown--;
    node.wake();
  }
  const block = world.blocks.find(leader.conductor!.committedHead()!.hash)!;
  const heads = (): number => Math.min(...world.machines.map(({ node }) => node.head.number));
  return { judge, world, operator, block, heads };
}

const isCommitted = ({ machines, blocks }: World, block: { readonly hash: string }): boolean =>
  machines.every(({ conductor }) => {
    const tip = blocks.find(conductor!.committedHead()!.hash)!;
    return blocks.isAncestor(blocks.find(block.hash)!, tip);
  });

describe('an operator on call', () => {
  it('has the chain go on where all clients were killed beside an invalid block: restarts them, then gives it up', () => {
    const { judge, world, operator, block, heads } = standing(0b111);
    // Nobody tells whether it has the state of its head.
    for (const { node } of world.machines) {
      node.faults.clientErrors++;
      node.erring.change(['eth_getBalance'], 1);
    }
    expect(world.verdicts.isSound(block)).toBe(false);
    world.until('an alarm names the block', () => operator.toldAtMs(block.hash) !== null);
    const toldMs = operator.toldAtMs(block.hash)!;
    expect(operator.done).toEqual([]);
    world.until('it goes on', () => heads() > block.number && !isCommitted(world, block));
    expect(world.nowMs - toldMs).toBeLessThan(repairedMs(defaultConfiguration));
    expect(operator.hasActed).toBe(true);
    expect(operator.done.slice(0, 3).toSorted()).toEqual([0, 1, 2].map((index) => `restart client s${index}`));
    expect(operator.done.at(-1)).toBe(`give up ${block.number}`);
    world.run(6000);
    expect(operator.isAtWork).toBe(false);
    expect(judge.violation).toBeNull();
  });

  it('is not needed where the clients have the states of their heads: that they did not take the block is proof then', () => {
    const { judge, world, operator, block, heads } = standing(0b111);
    world.until('it goes on', () => heads() > block.number && !isCommitted(world, block));
    expect(operator.done).toEqual([]);
    expect(judge.violation).toBeNull();
  });

  it('gives up nothing that damaged clients refuse: after a restart they take it', () => {
    const { judge, world, operator, block, heads } = standing(0b000, { isSick: true });
    expect(world.verdicts.isSound(block)).toBe(true);
    world.until('an alarm names the block', () => operator.toldAtMs(block.hash) !== null);
    expect(heads()).toBeLessThan(block.number);
    world.until('it goes on', () => heads() > block.number);
    expect(operator.done.some((deed) => deed.startsWith('restart client'))).toBe(true);
    expect(operator.done.filter((deed) => deed.startsWith('give up'))).toEqual([]);
    expect(isCommitted(world, block)).toBe(true);
    expect(judge.violation).toBeNull();
  });

  it('does nothing where a chain goes on, whatever an alarm says', () => {
    const judge = new Judge();
    const world = World.form({ ...defaultConfiguration, seed: 5 }, judge, (built) => judge.watch(built));
    const operator = new RepairOperator(world);
    const { hash } = world.leader()!.conductor!.committedHead()!;
    operator.read('s0', 'error', 'the execution client takes none of the committed blocks: restart it', {
      committed: hash,
    });
    expect(operator.isAtWork).toBe(true);
    world.run(15_000);
    expect([operator.isAtWork, operator.done]).toEqual([false, []]);
  });

  it('answers errors that name a block, and that the log may not follow the rollup, and nothing else', () => {
    const judge = new Judge();
    const world = World.form({ ...defaultConfiguration, seed: 5 }, judge, (built) => judge.watch(built));
    const operator = new RepairOperator(world);
    operator.read('s0', 'error', 'Sequencer is unhealthy', {
      ...{ err: 'sequencer is not healthy', detail: 'the unsafe head is 4 s old' },
    });
    operator.read('s0', 'warn', 'refused a payload', { hash: `0x${'ab'.repeat(32)}` });
    expect(operator.isAtWork).toBe(false);
    operator.read('s0', 'error', 'the rollup has left the committed chain, and the log cannot follow it', {
      err: 'that block 9 (0x12) is to be given up is proved (l1, by s0, s1), but started with --consensus.rollback=refuse: an operator decides',
    });
    expect(operator.isAtWork).toBe(true);
  });
});
