import { describe, expect, it } from 'vitest';
import { Blocks, type Block } from './blocks.ts';

function chain(blocks: Blocks, from: Block, count: number): Block[] {
  const built: Block[] = [];
  for (let at = from; built.length < count;) built.push((at = blocks.build(at, 0)));
  return built;
}

describe('the blocks of a run', () => {
  it('no two are the same, even on one parent', () => {
    const blocks = new Blocks(1);
    const [one, other] = [blocks.build(blocks.genesis, 0), blocks.build(blocks.genesis, 0)];
    expect(one.hash).not.toBe(other.hash);
    expect(blocks.find(one.hash)).toBe(one);
    expect(one.parentHash).toBe(blocks.genesis.hash);
    expect(blocks.isAncestor(blocks.genesis, one)).toBe(true);
    expect(blocks.isAncestor(other, one)).toBe(false);
  });

  it('the rollup goes back: what is above dies, what is built below lives', () => {
    const blocks = new Blocks(1);
    const [first, second, third] = chain(blocks, blocks.genesis, 3) as [Block, Block, Block];
    blocks.rollBackTo(1);
    expect([first, second, third].map((block) => blocks.isDead(block))).toEqual([false, true, true]);
    expect(blocks.lastLiving(third)).toBe(first);
    expect(blocks.isDead(blocks.build(first, 1))).toBe(false);
  });

  it('what is built on a dead block is dead, however high and late', () => {
    const blocks = new Blocks(1);
    const before = chain(blocks, blocks.genesis, 3);
    blocks.rollBackTo(1);
    expect(chain(blocks, before[2]!, 4).every((block) => blocks.isDead(block))).toBe(true);
  });

  it('a block whose builder knows of the first rollback alone is of that branch', () => {
    const blocks = new Blocks(1);
    const before = chain(blocks, blocks.genesis, 5);
    blocks.rollBackTo(4);
    blocks.rollBackTo(2);
    const late = blocks.build(before[3]!, 0);
    expect(late).toMatchObject({ number: 5, branch: 1 });
    expect(blocks.isDead(late)).toBe(true);
    expect(blocks.build(before[1]!, 0)).toMatchObject({ number: 3, branch: 2 });
  });

  it('the safe chain is what was published and had the time to reach L1', () => {
    const blocks = new Blocks(1);
    const first = blocks.build(blocks.genesis, 0);
    const second = blocks.build(first, 0);
    expect(blocks.safeHead(second, 60_000)).toBe(blocks.genesis);
    blocks.publish(first, 1000);
    blocks.publish(second, 2000);
    expect(blocks.safeHead(second, 10_999)).toBe(blocks.genesis);
    expect(blocks.safeHead(second, 11_000)).toBe(first);
    expect(blocks.safeHead(blocks.build(second, 1), 60_000)).toBe(second);
    blocks.rollBackTo(1);
    expect(blocks.safeHead(second, 60_000)).toBe(first);
  });
});
