/**
 * Rounds of one harm on one cluster: wait until it is steady, hurt its leader at a random moment of the
 * slot, and read from the record of published blocks how long nothing was published.
 */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { Seeded } from '../../tests/cluster/seeded.ts';
import type { Publication } from '../../tests/cluster/publications.ts';
import { ServiceCluster } from '../../tests/cluster/service-cluster.ts';
import type { Harm, Stage } from '../../tests/cluster/service-harms.ts';
import { newHeights, publishingGap } from '../../tests/cluster/service-laws.ts';
import type { ServiceNode } from '../../tests/cluster/service-node.ts';
import { pause } from '../../tests/cluster/wait.ts';
import { runDirectory } from '../directories.ts';
import { SETTINGS, SLOT_MS, type Goal } from './goals.ts';

/** Longest a round is waited for; it then counts as this long. */
export const ROUND_MS_MAX = 30_000;
const LOOK_EVERY_MS = 20;
const NONE = { beforeMs: 0, lastsMs: 0 };

export interface Sample {
  /** Longest time without a new height on any node, published or given to it by its conductor; ROUND_MS_MAX when none came. */
  readonly gapMs: number;
  /** The same between two heights that a sequencer published: whoever follows by gossip alone waits so long. */
  readonly gossipGapMs?: number;
  /** From the harm to the first start of another sequencer; null when none was started. */
  readonly startMs: number | null;
  /** Laws about published blocks that were broken so far. */
  readonly broken: readonly string[];
}

/** Plays `count` rounds on a fresh cluster; after a round in which nothing was published, on another one. */
export async function playRounds(options: {
  readonly implementations: readonly Implementation[];
  readonly harm: Harm;
  readonly standing?: Goal['standing'];
  readonly slotMs?: number;
  readonly count: number;
  readonly random: Seeded;
}): Promise<Sample[]> {
  const { implementations, harm, count, random, standing = NONE, slotMs = SLOT_MS } = options;
  const samples: Sample[] = [];
  while (samples.length < count) {
    await using cluster = new ServiceCluster({
      implementations,
      settings: { ...SETTINGS, blocksPerSecond: 1000 / slotMs },
      hasLinks: harm.needsLinks === true,
      parent: runDirectory(),
    });
    await cluster.form();
    let leader = await oursLeading(cluster);
    for (let hasStalled = false; samples.length < count && !hasStalled;) {
      const times = await playRound({ cluster, leader, others: cluster.others(leader) }, { harm, standing, random });
      hasStalled = times.gapMs >= ROUND_MS_MAX;
      if (!hasStalled) leader = await oursLeading(cluster);
      samples.push({ ...times, broken: hasStalled ? [] : cluster.brokenLaws() });
    }
  }
  return samples;
}

/** Hurts the leader, measures, and puts everything right again. */
async function playRound(
  stage: Stage,
  {
    harm,
    standing,
    random,
  }: { readonly harm: Harm; readonly standing: NonNullable<Goal['standing']>; readonly random: Seeded },
): Promise<Omit<Sample, 'broken'>> {
  const { cluster, leader, others } = stage;
  await pause(standing.beforeMs + random.between(0, SLOT_MS));
  const sinceMs = Date.now();
  await harm.inflict(stage);
  const inflictedMs = Date.now();
  const isAfter = ({ atMs, node }: Publication): boolean =>
    harm.mayKeepLeader === true ? atMs >= inflictedMs : atMs >= sinceMs && node !== leader.id;
  const heads: Publication[] = [];
  const isPublishing = await isPublished(cluster, isAfter, () => {
    for (const node of others) {
      const head = node.record.head();
      if (head !== null) heads.push({ ...head, node: node.id, atMs: Date.now() });
    }
  });
  const starts = others.flatMap((node) => node.record.starts()).filter(({ atMs }) => atMs >= sinceMs);
  const startMs = starts.length === 0 ? null : Math.min(...starts.map(({ atMs }) => atMs)) - sinceMs;
  if (!isPublishing) return { gapMs: ROUND_MS_MAX, gossipGapMs: ROUND_MS_MAX, startMs };
  const published = cluster.published();
  const gapMs = publishingGap([...published, ...heads], sinceMs);
  const gossipGapMs = publishingGap(published, sinceMs);
  await pause(Math.max(0, sinceMs + standing.lastsMs - Date.now()));
  await harm.undo?.(stage);
  cluster.heal();
  await cluster.revive();
  return { gapMs, gossipGapMs, startMs };
}

/** Whether such a new height is published in time; `look` is called again and again until then. */
async function isPublished(
  cluster: ServiceCluster,
  isSuch: (block: Publication) => boolean,
  look: () => void,
): Promise<boolean> {
  const deadlineMs = performance.now() + ROUND_MS_MAX;
  while (!newHeights(cluster.published()).some(isSuch)) {
    if (performance.now() > deadlineMs) return false;
    look();
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

/** The leader of a steady cluster; one of ours where there is one, so that a mixed cluster loses one of ours. */
async function oursLeading(cluster: ServiceCluster): Promise<ServiceNode> {
  const leader = await cluster.steady();
  const ours = cluster.nodes.find((node) => node.implementation === 'bun');
  if (leader.implementation === 'bun' || ours === undefined) return leader;
  await cluster.lead(ours);
  return cluster.steady();
}
