import { describe, expect, it } from 'vitest';
import { LiveRun } from '../live-cluster/live-run.ts';
import { gapAround } from './gap.ts';

const blocks = [
  { number: 4, atMs: 1000, by: 0 },
  { number: 5, atMs: 2000, by: 0 },
  { number: 6, atMs: 3020, by: 1 },
];

describe('the gap around a kill', () => {
  it('is from block to block, and grows while the next one is awaited', () => {
    expect(gapAround(2300, blocks, 4000)).toEqual({ ms: 1020, isOver: true, missed: 0 });
    expect(gapAround(2300, blocks.slice(0, 2), 2700)).toEqual({ ms: 700, isOver: false, missed: 0 });
    expect(gapAround(500, blocks.slice(2), 4000)).toBeNull();
  });

  it('counts heights that nobody published', () => {
    expect(gapAround(1500, [blocks[0]!, blocks[2]!], 4000)?.missed).toBe(1);
  });

  it('of the cluster in the page is a block or little more, and no height is missed', () => {
    const live = new LiveRun({ run: 'v1~seed-1.engine-1', afterMs: 0, trace: '' });
    live.pass(2400);
    const killMs = live.frame(false).nowMs;
    live.act('kill', 'leader');
    live.pass(4000);
    const { blocks: published, nowMs } = live.frame(false);
    const gap = gapAround(killMs, published, nowMs);
    expect(gap).toMatchObject({ isOver: true, missed: 0 });
    expect(gap?.ms).toBeLessThan(2000);
  });
});
