/**
 * `bun bench/main.ts failover`: the leader is killed with −9; how long until another server has
 * committed something? Two probes keep writing to the survivors from the moment of the kill.
 */
import { Cluster } from '../tests/cluster/cluster.ts';
import { ControlClient } from '../tests/cluster/control.ts';
import type { Implementation, NodeProcess } from '../tests/cluster/node-process.ts';
import { operationCommand } from '../tests/cluster/operation.ts';
import { Seeded } from '../tests/cluster/seeded.ts';
import { pause, waitFor } from '../tests/cluster/wait.ts';
import { amountAt, type Amount, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';
import { summarize, type Summary } from './statistics.ts';

const KILLS: Readonly<Record<Implementation, Amount>> = {
  go: { full: 30, quick: 5 },
  bun: { full: 120, quick: 20 },
};
const TIMEOUT_MS = 30_000;
const PROBE_PAUSE_MS = 2;
const SETTLE_MS_MAX = 400;
const PROBE_CLIENT = 2_000_000;

let sequence = 0;

export async function benchFailover(options: BenchRun): Promise<void> {
  const { sides } = options;
  const random = Seeded.announced('failover');
  const results: { side: Implementation; summary: Summary; samplesMs: number[] }[] = [];
  for (const side of sides) {
    const kills = amountAt(options, KILLS[side]);
    const samplesMs = await measureFailovers(side, kills, random);
    const summary = summarize(samplesMs);
    results.push({ side, summary, samplesMs });
    const { min, p50, p90, p99, max } = summary;
    const times = Object.entries({ min, p50, p90, p99, max }).map(([name, value]) => `${name} ${value.toFixed(0)}`);
    console.log(
      `${side}: kill −9 of the leader to the next commit by another, ${kills} kills, ms: ${times.join('  ')}`,
    );
  }
  const method = { nodes: 3, seed: random.seed, timers: 'op-conductor defaults', probePauseMs: PROBE_PAUSE_MS };
  writeResults(options, { name: 'failover', method, results });
}

/** Milliseconds from the kill to the first acknowledgement by a survivor, for each of `kills` leaders of a 3-node cluster. */
async function measureFailovers(side: Implementation, kills: number, random: Seeded): Promise<number[]> {
  await using cluster = new Cluster([side, side, side], {}, runDirectory());
  await cluster.form();
  const samples: number[] = [];
  while (samples.length < kills) {
    const leader = await settled(cluster);
    await pause(random.between(0, SETTLE_MS_MAX));
    const survivors = cluster.nodes.filter((node) => node !== leader);
    const race = new AbortController();
    const killed = performance.now();
    const death = leader.kill();
    const ended = await Promise.race(survivors.map((survivor) => firstCommit(survivor, race.signal)));
    samples.push(ended - killed);
    race.abort();
    await death;
    await leader.start();
  }
  return samples;
}

/** Writes to one node until it acknowledges; resolves with the time, or never once aborted. */
async function firstCommit(node: NodeProcess, signal: AbortSignal): Promise<number> {
  const control = new ControlClient(node.controlPort);
  signal.addEventListener('abort', () => control.close());
  const deadline = performance.now() + TIMEOUT_MS;
  while (!signal.aborted) {
    sequence += 1;
    const outcome = await control.apply(operationCommand(PROBE_CLIENT, sequence, 256));
    if (outcome.kind === 'committed') return performance.now();
    if (performance.now() > deadline) throw new Error(`nobody took over within ${TIMEOUT_MS} ms`);
    await pause(PROBE_PAUSE_MS);
  }
  return new Promise<number>(() => undefined);
}

/** Waits until all three agree on the leader and have applied the same; returns the leader. */
async function settled(cluster: Cluster): Promise<NodeProcess> {
  await cluster.converged(TIMEOUT_MS);
  return waitFor('all nodes to agree on the leader', TIMEOUT_MS, async () => {
    const statuses = await cluster.statuses();
    const [first] = statuses;
    const isAgreed =
      statuses.length === 3 &&
      statuses.every(({ status }) => status.leaderId === first?.status.leaderId && status.leaderId !== '');
    return isAgreed && first !== undefined ? cluster.node(first.status.leaderId) : null;
  });
}
