/** How long the chain was silent around a kill, measured on its blocks. */
import type { BlockFrame } from '../live-cluster/protocol.ts';

export interface Gap {
  /** From the last block before the kill to the first after it, or to now while there is none. Milliseconds. */
  readonly ms: number;
  readonly isOver: boolean;
  /** Heights between those two blocks that nobody published. */
  readonly missed: number;
}

/** null when no block is known from before the kill. Times are the cluster's. */
export function gapAround(killMs: number, blocks: readonly BlockFrame[], nowMs: number): Gap | null {
  const last = blocks.findLast(({ atMs }) => atMs <= killMs);
  const next = blocks.find(({ atMs }) => atMs > killMs);
  if (last === undefined) return null;
  if (next === undefined) return { ms: nowMs - last.atMs, isOver: false, missed: 0 };
  return { ms: next.atMs - last.atMs, isOver: true, missed: next.number - last.number - 1 };
}
