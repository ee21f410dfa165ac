/**
 * `npm run bench -- steady`: what a whole conductor costs while nothing special happens. After a load that a busy day
 * would bring, one block of 100 kB is committed each second, as a chain with blocks of a second does it, and the
 * processor time of every node is read before and after; then a follower is started again on the store of that run.
 */
import { Seeded } from '../../tests/cluster/seeded.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { writeResults } from '../results.ts';
import { BlockMaker } from '../rpc/blocks.ts';
import { commitAll } from '../rpc/commit-load.ts';
import { Conductors, type ConductorProcess } from '../rpc/conductors.ts';
import { median } from '../statistics.ts';

const NODES = 3;
const BLOCK_BYTES = 100_000;
const BLOCK_MS = 1000;
/** Blocks are made and offered in pieces, so that a long load needs no memory here. */
const LOAD_PIECE = 50;
const LOAD_CLIENTS = 4;
/** What is committed before anything is measured. */
const LOAD_BLOCKS = { full: 3000, quick: 200 };
/** Collecting garbage and copying the log back after the load is no part of the steady state. */
const SETTLE_MS = { full: 10_000, quick: 2000 };
const STEADY_BLOCKS = { full: 60, quick: 10 };
const ROUNDS = { full: 2, quick: 1 };
const STARTS = { full: 7, quick: 3 };
const START_MS_MAX = 60_000;

export interface SteadyMeasured {
  readonly side: Implementation;
  readonly round: number;
  /** Percent of one core while one block a second was committed. */
  readonly leaderPercent: number;
  readonly followersPercent: readonly number[];
  /** Of every node right after the load, the leader first. */
  readonly residentMb: readonly number[];
  /** The same after the steady blocks. */
  readonly residentLaterMb: readonly number[];
  readonly commitMs: readonly number[];
  /** From the start of a follower's process, on the store of the run, to its first answer over JSON-RPC. */
  readonly readyMs: readonly number[];
}

export async function benchSteady(options: BenchRun): Promise<void> {
  const random = Seeded.announced('steady');
  const rounds = amountAt(options, ROUNDS);
  const sizes = {
    loadBlocks: amountAt(options, LOAD_BLOCKS),
    settleMs: amountAt(options, SETTLE_MS),
    steadyBlocks: amountAt(options, STEADY_BLOCKS),
    starts: amountAt(options, STARTS),
  };
  const measured: SteadyMeasured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 1 ? options.sides : options.sides.toReversed()) {
      const one = { side, round, ...(await measureSteady(side, new BlockMaker(random), sizes)) };
      measured.push(one);
      console.log(`round ${round} ${side.padEnd(3)} ${describe(one)}`);
    }
  }
  const method = {
    seed: random.seed,
    rounds,
    nodes: NODES,
    blockBytes: BLOCK_BYTES,
    blockMs: BLOCK_MS,
    loadClients: LOAD_CLIENTS,
    ...sizes,
  };
  writeResults(options, { name: 'steady', method, results: measured });
}

interface Sizes {
  readonly loadBlocks: number;
  readonly settleMs: number;
  readonly steadyBlocks: number;
  readonly starts: number;
}

async function measureSteady(
  side: Implementation,
  maker: BlockMaker,
  { loadBlocks, settleMs, steadyBlocks, starts }: Sizes,
): Promise<Omit<SteadyMeasured, 'side' | 'round'>> {
  await using cluster = await Conductors.start({ side, count: NODES, parent: runDirectory() });
  const { nodes } = cluster;
  // The first block alone: whichever of several came first would be the chain's first.
  requireCommitted((await commitAll(cluster, maker.prepare({ bytes: BLOCK_BYTES, blocks: 1 }), 1)).refusal);
  for (let left = loadBlocks - 1; left > 0; left -= LOAD_PIECE) {
    const piece = maker.prepare({ bytes: BLOCK_BYTES, blocks: Math.min(left, LOAD_PIECE) });
    requireCommitted((await commitAll(cluster, piece, LOAD_CLIENTS)).refusal);
  }
  const residentMb = nodes.map((node) => node.residentMb());
  const blocks = maker.prepare({ bytes: BLOCK_BYTES, blocks: steadyBlocks });
  await pause(settleMs);
  const before = nodes.map((node) => node.cpuMs());
  const beganMs = performance.now();
  const commitMs: number[] = [];
  for (const [at, block] of blocks.entries()) {
    await pause(Math.max(0, beganMs + at * BLOCK_MS - performance.now()));
    const load = await commitAll(cluster, [block], 1);
    requireCommitted(load.refusal);
    commitMs.push(load.latencyMs.p50);
  }
  await pause(Math.max(0, beganMs + blocks.length * BLOCK_MS - performance.now()));
  const elapsedMs = performance.now() - beganMs;
  const percents = nodes.map((node, at) => ((node.cpuMs() - (before[at] ?? 0)) / elapsedMs) * 100);
  const residentLaterMb = nodes.map((node) => node.residentMb());
  const readyMs: number[] = [];
  for (let start = 0; start < starts; start += 1) readyMs.push(await restarted(nodes.at(-1) as ConductorProcess));
  const [leaderPercent = Number.NaN, ...followersPercent] = percents;
  return { leaderPercent, followersPercent, residentMb, residentLaterMb, commitMs, readyMs };
}

/** Kills a node and starts it again; milliseconds until it answers. */
async function restarted(node: ConductorProcess): Promise<number> {
  await node.kill();
  const startedMs = performance.now();
  node.restart();
  await waitFor(
    `${node.id} to answer`,
    START_MS_MAX,
    async () => (await node.call('conductor_paused')) === false || null,
  );
  return performance.now() - startedMs;
}

function requireCommitted(refusal: string): void {
  if (refusal !== '') throw new Error(`a block was refused: ${refusal}`);
}

function describe(one: SteadyMeasured): string {
  const list = (values: readonly number[], digits: number): string =>
    values.map((value) => value.toFixed(digits)).join(' ');
  return (
    `leader ${one.leaderPercent.toFixed(2)} % of a core, followers ${list(one.followersPercent, 2)}; ` +
    `resident MB ${list(one.residentMb, 0)}, later ${list(one.residentLaterMb, 0)}; ` +
    `commit p50 ${median(one.commitMs).toFixed(1)} ms; start to ready ms ${list(one.readyMs, 0)}`
  );
}
