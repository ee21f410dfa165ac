/** `bun bench/main.ts idle`: processor time of each node of a cluster that does nothing but heartbeats. */
import { Cluster } from '../tests/cluster/cluster.ts';
import type { Implementation } from '../tests/cluster/node-process.ts';
import { pause } from '../tests/cluster/wait.ts';
import { amountAt, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';

const SETTLE_MS = 5000;
const SECONDS = { full: 60, quick: 10 };
const LEADER_TIMEOUT_MS = 10_000;

interface IdleUse {
  readonly side: Implementation;
  readonly role: 'leader' | 'follower';
  /** Percent of one core. */
  readonly processor: number;
  readonly residentBytes: number;
}

export async function benchIdle(options: BenchRun): Promise<void> {
  const { sides } = options;
  const seconds = amountAt(options, SECONDS);
  const results: IdleUse[] = [];
  for (const side of sides) results.push(...(await measureIdle(side, seconds)));
  for (const { side, role, processor, residentBytes } of results) {
    console.log(
      `${side.padEnd(3)} ${role.padEnd(8)} ${processor.toFixed(2)} % of a core, ${(residentBytes / 1e6).toFixed(0)} MB`,
    );
  }
  const method = { seconds, settleMs: SETTLE_MS, nodes: 3, source: '/proc/<pid>/stat, steps of 10 ms' };
  writeResults(options, { name: 'idle', method, results });
}

async function measureIdle(side: Implementation, seconds: number): Promise<IdleUse[]> {
  await using cluster = new Cluster([side, side, side], {}, runDirectory());
  await cluster.form();
  await pause(SETTLE_MS);
  const leader = await cluster.leader(LEADER_TIMEOUT_MS);
  const before = cluster.nodes.map((node) => node.cpuSeconds());
  const started = performance.now();
  await pause(seconds * 1000);
  const elapsed = (performance.now() - started) / 1000;
  return cluster.nodes.map((node, at) => ({
    side,
    role: node === leader ? 'leader' : 'follower',
    processor: ((node.cpuSeconds() - (before[at] ?? 0)) / elapsed) * 100,
    residentBytes: node.resident().now,
  }));
}
