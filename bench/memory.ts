/**
 * `bun bench/main.ts memory`: what a node holds after a long run of commits of 100 kB, and how fast
 * it opens the store that the run left behind.
 */
import { Cluster } from '../tests/cluster/cluster.ts';
import type { Implementation, Resident } from '../tests/cluster/node-process.ts';
import { applyLoad, type LoadResult } from './load.ts';
import { amountAt, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';
import { median } from './statistics.ts';

const LOAD = { bytes: 100_000, clients: 8 };
const COMMITS = { full: 100_000, quick: 5000 };
const STARTS = 5;
const LEADER_TIMEOUT_MS = 10_000;
const CONVERGE_TIMEOUT_MS = 60_000;

interface MemoryUse {
  readonly side: Implementation;
  readonly load: LoadResult;
  readonly nodes: readonly (Resident & {
    readonly id: string;
    readonly isLeader: boolean;
    readonly entriesKept: number;
  })[];
  /** Milliseconds from spawn to the ready line, on the store of the run. */
  readonly readyMs: readonly number[];
}

export async function benchMemory(options: BenchRun): Promise<void> {
  const { sides } = options;
  const commits = amountAt(options, COMMITS);
  const results: MemoryUse[] = [];
  for (const side of sides) {
    const use = await measureMemory(side, commits);
    results.push(use);
    const { load, nodes, readyMs } = use;
    console.log(
      `${side}: ${load.commits} commits of 100 kB, ${load.perSecond.toFixed(0)}/s, p99 ${load.latencyMs.p99.toFixed(1)} ms, ${load.errors} errors`,
    );
    for (const { id, isLeader, now, peak, entriesKept } of nodes) {
      console.log(
        `  ${id}${isLeader ? ' (leader)' : ''}: ${(now / 1e6).toFixed(0)} MB, peak ${(peak / 1e6).toFixed(0)} MB, ${entriesKept} entries kept`,
      );
    }
    console.log(
      `  process start to ready on that store: median ${median(readyMs).toFixed(0)} ms of ${readyMs.map((ms) => ms.toFixed(0)).join(' ')}`,
    );
  }
  const method = { ...LOAD, commits, nodes: 3, starts: STARTS, source: 'VmRSS and VmHWM of /proc/<pid>/status' };
  writeResults(options, { name: 'memory', method, results });
}

async function measureMemory(side: Implementation, commits: number): Promise<MemoryUse> {
  await using cluster = new Cluster([side, side, side], {}, runDirectory());
  await cluster.form();
  const leader = await cluster.leader(LEADER_TIMEOUT_MS);
  const load = await applyLoad(leader, LOAD, { commits });
  await cluster.converged(CONVERGE_TIMEOUT_MS);
  const nodes = [];
  for (const { node, status } of await cluster.statuses()) {
    nodes.push({
      id: node.id,
      isLeader: node === leader,
      ...node.resident(),
      entriesKept: status.lastIndex - status.firstIndex + 1,
    });
  }
  const follower = cluster.nodes.find((node) => node !== leader) ?? leader;
  const readyMs: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    await follower.kill();
    await follower.start();
    readyMs.push(follower.readyMs);
  }
  return { side, load, nodes, readyMs };
}
