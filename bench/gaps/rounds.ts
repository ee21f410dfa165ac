/**
 * Rounds of one harm on one cluster: wait until it is steady, hurt its leader at a random moment of the
 * slot, and read from the record of published blocks how long nothing was published.
 */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { Seeded } from '../../tests/cluster/seeded.ts';
import { ServiceCluster } from '../../tests/cluster/service-cluster.ts';
import type { Harm, Stage } from '../../tests/cluster/service-harms.ts';
import { publishingGap } from '../../tests/cluster/service-laws.ts';
import type { ServiceNode } from '../../tests/cluster/service-node.ts';
import { pause } from '../../tests/cluster/wait.ts';
import { benchDirectory } from '../results.ts';
import { SETTINGS, SLOT_MS } from './goals.ts';

/** Longest a round is waited for; it then counts as this long. */
export const ROUND_MS_MAX = 30_000;
/** Blocks that must be published after the harm. */
const BLOCKS_AFTER = 2;

export interface Sample {
  /** Longest time between two published heights; ROUND_MS_MAX when none came. */
  readonly gapMs: number;
  /** From the harm to the first start of another sequencer; null when none was started. */
  readonly startMs: number | null;
  /** Laws about published blocks that were broken so far. */
  readonly broken: readonly string[];
}

/** Plays `count` rounds on a fresh cluster; after a round in which nothing was published, on another one. */
export async function playRounds(options: {
  readonly implementations: readonly Implementation[];
  readonly harm: Harm;
  readonly count: number;
  readonly random: Seeded;
}): Promise<Sample[]> {
  const { implementations, harm, count, random } = options;
  const samples: Sample[] = [];
  while (samples.length < count) {
    await using cluster = new ServiceCluster({
      implementations,
      settings: SETTINGS,
      hasLinks: harm.needsLinks === true,
      parent: benchDirectory(),
    });
    await cluster.form();
    for (let hasStalled = false; samples.length < count && !hasStalled;) {
      const sample = await playRound(cluster, harm, random);
      samples.push(sample);
      hasStalled = sample.gapMs >= ROUND_MS_MAX;
    }
  }
  return samples;
}

async function playRound(cluster: ServiceCluster, harm: Harm, random: Seeded): Promise<Sample> {
  const leader = await oursLeading(cluster);
  const stage: Stage = { cluster, leader, others: cluster.others(leader) };
  await pause(random.between(0, SLOT_MS));
  const sinceMs = Date.now();
  await harm.inflict(stage);
  let hasProgress = true;
  try {
    await cluster.progress(BLOCKS_AFTER, ROUND_MS_MAX);
  } catch {
    hasProgress = false;
  }
  const gapMs = hasProgress ? publishingGap(cluster.published(), sinceMs) : ROUND_MS_MAX;
  const starts = stage.others.flatMap((node) => node.record.starts()).filter(({ atMs }) => atMs >= sinceMs);
  const startMs = starts.length === 0 ? null : Math.min(...starts.map(({ atMs }) => atMs)) - sinceMs;
  if (!hasProgress) return { gapMs, startMs, broken: [] };
  await harm.undo?.(stage);
  cluster.heal();
  await cluster.revive();
  await cluster.steady();
  return { gapMs, startMs, broken: cluster.brokenLaws() };
}

/** The leader of a steady cluster; one of ours where there is one, so that a mixed cluster loses one of ours. */
async function oursLeading(cluster: ServiceCluster): Promise<ServiceNode> {
  const leader = await cluster.steady();
  const ours = cluster.nodes.find((node) => node.implementation === 'bun');
  if (leader.implementation === 'bun' || ours === undefined) return leader;
  await cluster.lead(ours);
  return cluster.steady();
}
