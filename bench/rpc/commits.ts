/**
 * conductor_commitUnsafePayload end to end: three processes per side, blocks of several sizes, one and eight
 * offered at once, the same blocks to both sides in turn. Rates, latency, and what each process paid.
 */
import { runDirectory } from '../directories.ts';
import { amountAt, type BenchOptions } from '../options.ts';
import { median } from '../statistics.ts';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { textTable } from '../../scripts/text-table.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { BlockMaker, transactionMix } from './blocks.ts';
import { commitAll, type CommitLoad } from './commit-load.ts';
import { Conductors } from './conductors.ts';
import { pairedRatio } from './paired-ratio.ts';

interface Cell {
  readonly bytes: number;
  readonly clients: number;
  /** Blocks per round; in a quick run a tenth. */
  readonly blocks: number;
}

/** op-conductor takes bodies up to 5 MiB, so what it would refuse comes last: nothing may build on it. */
const CELLS: readonly Cell[] = [
  { bytes: 1_000, clients: 1, blocks: 2000 },
  { bytes: 1_000, clients: 8, blocks: 2000 },
  { bytes: 100_000, clients: 1, blocks: 400 },
  { bytes: 100_000, clients: 8, blocks: 400 },
  { bytes: 1_000_000, clients: 1, blocks: 60 },
  { bytes: 1_000_000, clients: 8, blocks: 60 },
  { bytes: 5_000_000, clients: 1, blocks: 12 },
  { bytes: 5_000_000, clients: 8, blocks: 16 },
  { bytes: 20_000_000, clients: 1, blocks: 4 },
];
/** What a process that has run for a minute has behind it; both sides get it. */
const WARM_UP: readonly Cell[] = [
  { bytes: 1_000, clients: 1, blocks: 500 },
  { bytes: 100_000, clients: 1, blocks: 100 },
  { bytes: 1_000_000, clients: 1, blocks: 15 },
];
const QUICK_SHARE = 10;
const BLOCKS_MIN = 3;
const NODES = 3;

export interface CommitMeasured extends Cell {
  readonly side: Implementation;
  readonly round: number;
  readonly load: CommitLoad;
}

/** Measures every cell on every side, `rounds` times in alternating order, and prints a table. */
export async function benchCommits(
  sides: readonly Implementation[],
  rounds: number,
  options: BenchOptions,
): Promise<{ readonly method: object; readonly measured: readonly CommitMeasured[] }> {
  const random = Seeded.announced('commits');
  const cells = CELLS.map((cell) => ({
    ...cell,
    blocks: amountAt(options, { full: cell.blocks, quick: atLeastSome(cell.blocks) }),
  }));
  const maker = new BlockMaker(random);
  const warmUp = WARM_UP.flatMap((cell) => maker.prepare(cell));
  const prepared = cells.map((cell) => ({ cell, blocks: maker.prepare(cell) }));
  const measured: CommitMeasured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
      await using cluster = await Conductors.start({ side, count: NODES, parent: runDirectory() });
      await commitAll(cluster, warmUp, 1);
      for (const { cell, blocks } of prepared) {
        const load = await commitAll(cluster, blocks, cell.clients);
        measured.push({ side, round, ...cell, load });
        console.log(`round ${round} ${side.padEnd(3)} ${nameOf(cell)}: ${describe(load)}`);
      }
    }
  }
  console.log(table(measured, cells, sides));
  const method = { seed: random.seed, cells, nodes: NODES, transactions: transactionMix, warmUp: WARM_UP };
  return { method, measured };
}

function atLeastSome(blocks: number): number {
  return Math.max(BLOCKS_MIN, Math.round(blocks / QUICK_SHARE));
}

function nameOf({ bytes, clients }: Cell): string {
  const size = bytes < 1_000_000 ? `${bytes / 1000} kB` : `${bytes / 1_000_000} MB`;
  return `${size}, ${clients} client${clients > 1 ? 's' : ''}`;
}

function describe({ refusal, perSecond, latencyMs, cpuMs, ownCpuMs, repeats, losses }: CommitLoad): string {
  if (refusal !== '') return `refused: ${refusal}`;
  const cpu = cpuMs.map((ms) => ms.toFixed(1)).join(' / ');
  const again = repeats > 0 ? `, ${repeats} offered again` : '';
  const lost = losses > 0 ? `, leadership lost ${losses} times` : '';
  return (
    `${perSecond.toFixed(1)}/s, p50 ${latencyMs.p50.toFixed(1)} ms, p99 ${latencyMs.p99.toFixed(1)} ms, ` +
    `CPU ms per commit ${cpu}, client ${ownCpuMs.toFixed(1)}${again}${lost}`
  );
}

/** Medians over the rounds; ratios are of the same round, with their range. */
function table(measured: readonly CommitMeasured[], cells: readonly Cell[], sides: readonly Implementation[]): string {
  const rows = [
    [
      ...['commits', 'side', 'per second', 'p50 ms', 'p99 ms', 'CPU ms: leader', 'followers (mean)', 'client'],
      'ratios to Go (range)',
    ],
  ];
  for (const cell of cells) {
    const of = (side: Implementation): CommitLoad[] =>
      measured
        .filter((one) => one.side === side && one.bytes === cell.bytes && one.clients === cell.clients)
        .map((one) => one.load)
        .filter((load) => load.refusal === '');
    for (const side of sides) {
      const loads = of(side);
      if (loads.length === 0) {
        rows.push([nameOf(cell), side, 'refused']);
        continue;
      }
      const value = (pick: (load: CommitLoad) => number, digits: number): string =>
        median(loads.map(pick)).toFixed(digits);
      rows.push([
        nameOf(cell),
        side,
        value((load) => load.perSecond, 1),
        value((load) => load.latencyMs.p50, 1),
        value((load) => load.latencyMs.p99, 1),
        value((load) => load.cpuMs[0] ?? Number.NaN, 2),
        value(followersCpuMs, 2),
        value((load) => load.ownCpuMs, 2),
        side === 'bun' && of('go').length > 0
          ? `rate ${pairedRatio(loads, of('go'), (load) => load.perSecond)}, p99 ${pairedRatio(loads, of('go'), (load) => load.latencyMs.p99)}`
          : '',
      ]);
    }
  }
  return ['', ...textTable(rows, (column) => column > 1 && column < 8), ''].join('\n');
}

function followersCpuMs({ cpuMs }: CommitLoad): number {
  const followers = cpuMs.slice(1);
  return followers.reduce((sum, ms) => sum + ms, 0) / followers.length;
}
