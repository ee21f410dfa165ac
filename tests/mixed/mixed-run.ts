/** The whole programme of a mixed cluster, in a short and a full form. */
import { Cluster } from '../cluster/cluster.ts';
import { brokenLaws } from '../cluster/durability.ts';
import type { Implementation, NodeProcess } from '../cluster/node-process.ts';
import { Observer } from '../cluster/observer.ts';
import type { Seeded } from '../cluster/seeded.ts';
import { Writers } from '../cluster/writers.ts';
import { killAndRestart } from '../process/kill-rounds.ts';
import {
  electOnlyWinner,
  guardedChange,
  overwriteTail,
  progress,
  readAndSnapshot,
  replaceMember,
  transferBothWays,
} from './mixed-scenes.ts';

const WRITERS = 3;
const CONVERGE_TIMEOUT_MS = 30_000;
/** Snapshots so often that a wiped follower can only be caught up by one; timers short of op-conductor's to save time. */
const SETTINGS = {
  heartbeatMs: 500,
  electionMs: 500,
  leaseMs: 250,
  snapshotThreshold: 100,
  snapshotIntervalMs: 300,
  trailing: 50,
};

export interface MixedRun {
  readonly implementations: readonly Implementation[];
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Sentences; empty when every law held. */
  readonly broken: readonly string[];
}

/** Runs every scene with a leader of either implementation, `times` times, each followed by `kills` rounds of kill −9. */
export async function mixedRun(options: {
  readonly implementations: readonly Implementation[];
  readonly times: number;
  readonly kills: number;
  readonly random: Seeded;
}): Promise<MixedRun> {
  await using cluster = new Cluster(options.implementations, SETTINGS);
  await cluster.form();
  const observer = new Observer(cluster);
  const writers = new Writers(cluster, WRITERS);
  const scene = { cluster, writers };
  for (let time = 0; time < options.times; time += 1) {
    const [a, b] = oneOfEach(cluster);
    await transferBothWays(scene, a, b);
    for (const [leader, other] of [
      [a, b],
      [b, a],
    ] as const) {
      await electOnlyWinner(scene, other, leader);
      await overwriteTail(scene, leader);
      await replaceMember(scene, leader, other);
      await guardedChange(scene, leader, other);
      await readAndSnapshot(scene, leader);
    }
    for (let kill = 0; kill < options.kills; kill += 1) {
      await killAndRestart(cluster, options.random);
      await progress(scene, `after kill ${kill + 1}`);
    }
  }
  await writers.stop();
  await cluster.converged(CONVERGE_TIMEOUT_MS);
  await observer.stop();
  const broken = await brokenLaws(cluster, [writers], observer);
  const { acknowledged, refused, unknown } = writers;
  return {
    implementations: options.implementations,
    acknowledged: acknowledged.length,
    refused: refused.length,
    unknown: unknown.length,
    broken,
  };
}

/** The first node and the first of the other implementation (or the last, where there is only one). */
function oneOfEach(cluster: Cluster): [NodeProcess, NodeProcess] {
  const [first, ...rest] = cluster.nodes as [NodeProcess, NodeProcess, NodeProcess];
  const other = rest.find((node) => node.implementation !== first.implementation);
  return [first, other ?? (rest.at(-1) as NodeProcess)];
}
