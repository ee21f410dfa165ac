/**
 * Rounds of kill −9 at random moments under a writing client: the victim is often the leader,
 * sometimes two die in a row, and each comes back on its directory after a random delay.
 */
import { Cluster } from '../cluster/cluster.ts';
import { brokenLaws } from '../cluster/durability.ts';
import type { Implementation, NodeProcess } from '../cluster/node-process.ts';
import { Observer } from '../cluster/observer.ts';
import type { Seeded } from '../cluster/seeded.ts';
import { pause, waitFor } from '../cluster/wait.ts';
import { Writers } from '../cluster/writers.ts';

/** Acknowledgements demanded before the kill and again after the restart, in every round. */
const ACKNOWLEDGED_EACH_SIDE = 60;
const PROGRESS_TIMEOUT_MS = 20_000;
const KILL_DELAY_MS = 150;
const RESTART_DELAY_MS = 300;
const LEADER_SHARE = 0.6;
const SECOND_VICTIM_SHARE = 0.25;
const WRITERS = 4;
/** Snapshots often enough that kills fall into them, and that restarted nodes need them. */
const SETTINGS = { snapshotThreshold: 200, snapshotIntervalMs: 500, trailing: 100 };

export interface KillRounds {
  readonly rounds: number;
  readonly kills: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Sentences; empty when every law held. */
  readonly broken: readonly string[];
}

export async function killRounds(options: {
  readonly implementations: readonly Implementation[];
  readonly rounds: number;
  readonly random: Seeded;
}): Promise<KillRounds> {
  await using cluster = new Cluster(options.implementations, SETTINGS);
  await cluster.form();
  const observer = new Observer(cluster);
  const writers = new Writers(cluster, WRITERS);
  let kills = 0;
  for (let round = 1; round <= options.rounds; round += 1) {
    await progress(cluster, writers, `round ${round}, before the kill`);
    await pause(options.random.between(0, KILL_DELAY_MS));
    kills += await killAndRestart(cluster, options.random);
    await progress(cluster, writers, `round ${round}, after the restart`);
  }
  await writers.stop();
  await cluster.converged(PROGRESS_TIMEOUT_MS);
  await observer.stop();
  const broken = await brokenLaws(cluster, [writers], observer);
  const { acknowledged, refused, unknown } = writers;
  return {
    rounds: options.rounds,
    kills,
    acknowledged: acknowledged.length,
    refused: refused.length,
    unknown: unknown.length,
    broken,
  };
}

async function progress(cluster: Cluster, writers: Writers, when: string): Promise<void> {
  const goal = writers.acknowledged.length + ACKNOWLEDGED_EACH_SIDE;
  await waitFor(`${ACKNOWLEDGED_EACH_SIDE} acknowledgements in ${when}`, PROGRESS_TIMEOUT_MS, async () => {
    if (writers.acknowledged.length >= goal) return true;
    const dead = cluster.nodes.filter((node) => !node.isRunning).map(({ id }) => id);
    throw new Error(
      `${writers.acknowledged.length - goal + ACKNOWLEDGED_EACH_SIDE} so far, not running: ${dead.join(' ')}`,
    );
  });
}

/** Kills the leader or another node, sometimes two in a row, and starts them again; returns how many. */
export async function killAndRestart(cluster: Cluster, random: Seeded): Promise<number> {
  const leader = await cluster.leaderNow();
  const victims: NodeProcess[] = [
    leader !== null && random.next() < LEADER_SHARE ? leader : random.pick(cluster.nodes),
  ];
  if (random.next() < SECOND_VICTIM_SHARE)
    victims.push(random.pick(cluster.nodes.filter((node) => !victims.includes(node))));
  for (const victim of victims) {
    await victim.kill();
    await pause(random.between(0, KILL_DELAY_MS));
  }
  for (const victim of victims) {
    await pause(random.between(0, RESTART_DELAY_MS));
    await victim.start();
  }
  return victims.length;
}
