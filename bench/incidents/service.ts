/** Plays an incident on a service of three conductors with development sequencers, a fresh one for each round. */
import { ServiceCluster } from '../../tests/cluster/service-cluster.ts';
import { newHeights, publishingGap } from '../../tests/cluster/service-laws.ts';
import type { ServiceNode } from '../../tests/cluster/service-node.ts';
import { pause } from '../../tests/cluster/wait.ts';
import { runDirectory } from '../directories.ts';
import type { Round, Sample } from './round.ts';
import type { ServiceScene } from './scenes.ts';

const SETTINGS = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };
/** A chain that has not gone on by then has stopped. */
const GAP_MS_MAX = 30_000;
/** It goes on when so many heights were published at their time. */
const BLOCKS_AFTER = 5;
const LOOK_EVERY_MS = 50;

export async function playOnService(scene: ServiceScene, { side, rounds }: Round): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using cluster = new ServiceCluster({
      ...{ implementations: [side, side, side], settings: SETTINGS, parent: runDirectory() },
    });
    await cluster.form();
    const leader = cluster.nodes[0] as ServiceNode;
    await cluster.lead(leader);
    await cluster.steady();
    const sinceMs = Date.now();
    const told = await scene.act({ cluster, leader, others: cluster.others(leader) });
    const gapMs = await gap(cluster, sinceMs);
    const ms = scene.measure === 'gap' ? gapMs : (told ?? null);
    samples.push({ ms: ms === null ? null : Math.round(ms), faults: twoBlocks(cluster) });
  }
  return samples;
}

/** The longest time without a new height from `sinceMs` until the chain goes on; null where it does not. */
async function gap(cluster: ServiceCluster, sinceMs: number): Promise<number | null> {
  const fromMs = Date.now();
  const deadlineMs = performance.now() + GAP_MS_MAX;
  const isGoingOn = (): boolean =>
    newHeights(cluster.published()).filter(({ atMs }) => atMs > fromMs).length >= BLOCKS_AFTER;
  while (!isGoingOn()) {
    if (performance.now() > deadlineMs) return null;
    await pause(LOOK_EVERY_MS);
  }
  return publishingGap(cluster.published(), sinceMs);
}

/** Of the laws only the one that a cluster that stands can be asked. */
function twoBlocks(cluster: ServiceCluster): string[] {
  return cluster.brokenLaws().filter((law) => law.startsWith('height '));
}
