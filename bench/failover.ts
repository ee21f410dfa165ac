/**
 * `bun bench/main.ts failover`: the leader is killed with −9, or frozen; how long until another server has
 * committed something? Two probes keep writing to the survivors from that moment. A chain whose blocks come faster than an
 * op-node's has them missing for so long and one block time more at most.
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
const FREEZES: Readonly<Record<Implementation, Amount>> = {
  go: { full: 10, quick: 2 },
  bun: { full: 40, quick: 4 },
};
/** So long a leader has led at least when it is frozen: longer than learning and the promises before it take. */
const STANDING_MS = 4000;
/** So long it stays frozen: a shorter silence the flag's times bear, and it makes voters patient. */
const FROZEN_MS = 2000;
const TIMEOUT_MS = 30_000;
const PROBE_PAUSE_MS = 2;
const SETTLE_MS_MAX = 400;
const PROBE_CLIENT = 2_000_000;

let sequence = 0;

export async function benchFailover(options: BenchRun): Promise<void> {
  const { sides } = options;
  const random = Seeded.announced('failover');
  const results: { side: Implementation; summary: Summary; samplesMs: number[]; frozenMs: number[] }[] = [];
  for (const side of sides) {
    const samplesMs = await measureFailovers(side, amountAt(options, KILLS[side]), random, killed);
    console.log(describe(side, 'kill −9 of the leader', samplesMs));
    const frozenMs = await measureFailovers(side, amountAt(options, FREEZES[side]), random, frozen);
    console.log(describe(side, 'the leader is frozen', frozenMs));
    results.push({ side, summary: summarize(samplesMs), samplesMs, frozenMs });
  }
  const method = { nodes: 3, seed: random.seed, timers: 'op-conductor defaults', probePauseMs: PROBE_PAUSE_MS };
  writeResults(options, { name: 'failover', method, results });
}

function describe(side: Implementation, what: string, samplesMs: readonly number[]): string {
  const { min, p50, p90, p99, max } = summarize(samplesMs);
  const times = Object.entries({ min, p50, p90, p99, max }).map(([name, value]) => `${name} ${value.toFixed(0)}`);
  return `${side}: ${what} to the next commit by another, ${samplesMs.length} rounds, ms: ${times.join('  ')}`;
}

/** What is done to a leader, after how long at least, and what brings it back. */
interface End {
  readonly afterMs: number;
  inflict(leader: NodeProcess): Promise<void>;
  undo(leader: NodeProcess): Promise<void>;
}

const killed: End = { afterMs: 0, inflict: (leader) => leader.kill(), undo: (leader) => leader.start() };
const frozen: End = {
  afterMs: STANDING_MS,
  inflict: (leader) => Promise.resolve(leader.freeze()),
  undo: async (leader) => {
    await pause(FROZEN_MS);
    leader.thaw();
  },
};

/** Milliseconds from the leader's end to the first acknowledgement by a survivor, `rounds` times in a 3-node cluster. */
async function measureFailovers(
  side: Implementation,
  rounds: number,
  random: Seeded,
  { afterMs, inflict, undo }: End,
): Promise<number[]> {
  await using cluster = new Cluster([side, side, side], {}, runDirectory());
  await cluster.form();
  const samples: number[] = [];
  while (samples.length < rounds) {
    const leader = await settled(cluster);
    await pause(afterMs + random.between(0, SETTLE_MS_MAX));
    const survivors = cluster.nodes.filter((node) => node !== leader);
    const race = new AbortController();
    const began = performance.now();
    const death = inflict(leader);
    const ended = await Promise.race(survivors.map((survivor) => firstCommit(survivor, race.signal)));
    samples.push(ended - began);
    race.abort();
    await death;
    await undo(leader);
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
