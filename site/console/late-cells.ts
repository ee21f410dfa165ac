/** How late blocks are, by their own timestamps, as columns of a chart: x, least, mean and most, all in milliseconds. */
import type { BlockRun, ClusterNow, ClusterWindow, LateCell } from '../../conductor/console/protocol.ts';

/** Ascending by time; null where nothing is: a line is broken there. */
export interface LateColumns {
  readonly atMs: number[];
  readonly leastMs: (number | null)[];
  readonly meanMs: (number | null)[];
  readonly mostMs: (number | null)[];
}

/** The cells of a run with one more block, which is the newest. */
export function withBlock({ late, cellMs }: BlockRun, atMs: number, lateMs: number): readonly LateCell[] {
  const last = late.at(-1);
  if (last === undefined || atMs >= last[0] + cellMs) {
    const fromMs = last === undefined ? atMs : last[0] + Math.floor((atMs - last[0]) / cellMs) * cellMs;
    return [...late, [fromMs, lateMs, lateMs, lateMs]];
  }
  // How many there were in the cell is not known: the mean leans to the newest, which is one of the last on the screen.
  const [fromMs, leastMs, meanMs, mostMs] = last;
  const mean = Math.round(meanMs + (lateMs - meanMs) / 4);
  return [...late.slice(0, -1), [fromMs, Math.min(leastMs, lateMs), mean, Math.max(mostMs, lateMs)]];
}

/** Of what is held of a cluster; `standsMs`: now, while the chain stands, to show how late the next block is already. */
export function lateColumns(
  held: Pick<ClusterWindow, 'blocks' | 'run'>,
  { blockMs, zeroMs }: Pick<ClusterNow, 'blockMs' | 'zeroMs'>,
  standsMs: number | null,
): LateColumns {
  const cells = held.run === null ? cellsOfBlocks(held.blocks, blockMs, zeroMs) : broken(held.run);
  const next = standsMs === null ? [] : [nextBlock(held, { blockMs, zeroMs }, standsMs)];
  const all = [...cells, ...next.filter((cell) => cell !== null)];
  return {
    atMs: all.map(([atMs]) => atMs),
    leastMs: all.map(([, least]) => least),
    meanMs: all.map(([, , mean]) => mean),
    mostMs: all.map(([, , , most]) => most),
  };
}

type Cell = readonly [atMs: number, least: number | null, mean: number | null, most: number | null];

function cellsOfBlocks(blocks: ClusterWindow['blocks'], blockMs: number, zeroMs: number | null): Cell[] {
  if (zeroMs === null) return [];
  return blocks
    .map(([number, atMs]): Cell => {
      const lateMs = atMs - zeroMs - number * blockMs;
      return [atMs, lateMs, lateMs, lateMs];
    })
    .toSorted(([a], [b]) => a - b);
}

/** In the middle of each cell; where cells are missing nothing is drawn. */
function broken({ late, cellMs }: BlockRun): Cell[] {
  return late.flatMap(([fromMs, least, mean, most], at): Cell[] => {
    const before = late[at - 1];
    const cell: Cell = [fromMs + cellMs / 2, least, mean, most];
    return before !== undefined && fromMs - before[0] > 1.5 * cellMs
      ? [[before[0] + cellMs, null, null, null], cell]
      : [cell];
  });
}

function nextBlock(
  { blocks }: Pick<ClusterWindow, 'blocks'>,
  { blockMs, zeroMs }: Pick<ClusterNow, 'blockMs' | 'zeroMs'>,
  nowMs: number,
): Cell | null {
  const newest = blocks.at(-1);
  if (newest === undefined || zeroMs === null) return null;
  const lateMs = nowMs - zeroMs - (newest[0] + 1) * blockMs;
  return lateMs < 0.9 * blockMs || nowMs <= newest[1] ? null : [nowMs, lateMs, lateMs, lateMs];
}

/** What the shown part comes to: mean and highest, and when that was; null where nothing is shown. */
export function lateSummary(
  { atMs, meanMs, mostMs }: LateColumns,
  fromMs: number,
  toMs: number,
): { readonly meanMs: number; readonly mostMs: number; readonly atMs: number } | null {
  let [sum, count, highest, highestAtMs] = [0, 0, -Infinity, 0];
  for (const [at, x] of atMs.entries()) {
    const [mean, most] = [meanMs[at] ?? null, mostMs[at] ?? null];
    if (x < fromMs || x > toMs || mean === null || most === null) continue;
    sum += mean;
    count += 1;
    if (most > highest) [highest, highestAtMs] = [most, x];
  }
  return count === 0 ? null : { meanMs: sum / count, mostMs: highest, atMs: highestAtMs };
}
