/**
 * `bun bench/main.ts raft`: commits per second and latency of three Go processes and of three Bun
 * processes, side by side (method: METHOD.md here).
 */
import { textTable } from '../scripts/text-table.ts';
import { Cluster } from '../tests/cluster/cluster.ts';
import type { Implementation } from '../tests/cluster/node-process.ts';
import { applyLoad, type Load, type LoadResult } from './load.ts';
import { amountAt, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';
import { median } from './statistics.ts';

const CELLS: readonly Load[] = [
  { bytes: 256, clients: 1 },
  { bytes: 256, clients: 8 },
  { bytes: 100_000, clients: 1 },
  { bytes: 100_000, clients: 8 },
];
const ROUNDS = { full: 5, quick: 2 };
const SECONDS = { full: 6, quick: 2 };
const WARM_UP_SECONDS = { full: 2, quick: 1 };
const LEADER_TIMEOUT_MS = 10_000;

interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

interface Measured extends Load {
  readonly side: Implementation;
  readonly round: number;
  readonly result: LoadResult;
}

export async function benchRaft(options: BenchRun): Promise<void> {
  const { sides } = options;
  const plan = {
    rounds: amountAt(options, ROUNDS),
    seconds: amountAt(options, SECONDS),
    warmUpSeconds: amountAt(options, WARM_UP_SECONDS),
  };
  const measured: Measured[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
      measured.push(...(await measureSide(side, round, plan)));
    }
  }
  console.log(table(measured, sides));
  const method = { ...plan, cells: CELLS, nodes: 3, order: 'alternating by round' };
  writeResults(options, { name: 'raft', method, results: measured });
}

async function measureSide(side: Implementation, round: number, plan: Plan): Promise<Measured[]> {
  await using cluster = new Cluster([side, side, side], {}, runDirectory());
  await cluster.form();
  const leader = await cluster.leader(LEADER_TIMEOUT_MS);
  await applyLoad(leader, { bytes: 256, clients: 8 }, { seconds: plan.warmUpSeconds });
  const measured: Measured[] = [];
  for (const cell of CELLS) {
    const result = await applyLoad(leader, cell, { seconds: plan.seconds });
    const { perSecond, latencyMs, errors } = result;
    const times = `p50 ${latencyMs.p50.toFixed(2)} ms, p99 ${latencyMs.p99.toFixed(2)} ms`;
    console.log(
      `round ${round} ${side.padEnd(3)} ${name(cell)}: ${perSecond.toFixed(0)}/s, ${times}${errors > 0 ? `, ${errors} errors` : ''}`,
    );
    measured.push({ side, round, ...cell, result });
  }
  return measured;
}

function name({ bytes, clients }: Load): string {
  return `${bytes < 1000 ? `${bytes} B` : `${bytes / 1000} kB`}, ${clients} client${clients > 1 ? 's' : ''}`;
}

/** Medians over the rounds; the ratio's spread is that of the rounds taken pairwise. */
function table(measured: readonly Measured[], sides: readonly Implementation[]): string {
  const isCompared = sides.length === 2;
  const rows = [
    [
      'cell',
      ...sides.flatMap((side) => [`${side} commits/s`, 'p50 ms', 'p99 ms']),
      ...(isCompared ? ['Bun/Go rate (range)', 'p99 ratio (range)'] : []),
    ],
  ];
  for (const cell of CELLS) {
    const of = (side: Implementation, value: (result: LoadResult) => number): number[] =>
      measured
        .filter((one) => one.side === side && one.bytes === cell.bytes && one.clients === cell.clients)
        .map((one) => value(one.result));
    const columns = sides.flatMap((side) => {
      const rate = median(of(side, (result) => result.perSecond)).toFixed(0);
      const p50 = median(of(side, (result) => result.latencyMs.p50)).toFixed(2);
      const p99 = median(of(side, (result) => result.latencyMs.p99)).toFixed(2);
      return [rate, p50, p99];
    });
    const rate = ratio(
      of('bun', (result) => result.perSecond),
      of('go', (result) => result.perSecond),
    );
    const p99 = ratio(
      of('bun', (result) => result.latencyMs.p99),
      of('go', (result) => result.latencyMs.p99),
    );
    rows.push([name(cell), ...columns, ...(isCompared ? [rate, p99] : [])]);
  }
  return ['', ...textTable(rows, (column) => column > 0), ''].join('\n');
}

function ratio(bun: readonly number[], go: readonly number[]): string {
  const ratios = bun.map((value, round) => value / (go[round] ?? Number.NaN));
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}
