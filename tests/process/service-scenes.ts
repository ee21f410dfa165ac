/**
 * What is done to a service of three conductors and sequencers, one scene each. A scene begins with a
 * steady cluster and its leader; whatever it leaves killed, stopped or cut is put right afterwards.
 */
import { expect } from 'vitest';
import type { Seeded } from '../cluster/seeded.ts';
import type { ServiceCluster } from '../cluster/service-cluster.ts';
import { harms, type Harm, type Stage } from '../cluster/service-harms.ts';
import { publishingGap } from '../cluster/service-laws.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';

/** Longest wait for blocks that must come; no measure of anything. */
const BLOCKS_MS_MAX = 60_000;
/** Blocks awaited after the harm: the second is built on what the new leader published itself. */
const BLOCKS_AFTER = 2;
/** Slots that pass without a block when nobody can have a majority. */
const IDLE_MS = 2_500;
const TRANSFER_MS_MAX = 6000;
/** Blocks a server misses while it is down. */
const BLOCKS_BEHIND = 4;

interface Play extends Stage {
  readonly others: readonly [ServiceNode, ServiceNode];
  readonly random: Seeded;
}

export interface Scene {
  readonly title: string;
  readonly play: (play: Play) => Promise<void>;
}

const progress = ({ cluster }: Play, blocks = BLOCKS_AFTER): Promise<void> => cluster.progress(blocks, BLOCKS_MS_MAX);

/** Somebody else must publish: the leader was made unable to. */
export async function takenOver(play: Play): Promise<void> {
  await progress(play);
  const last = play.cluster.published().toSorted((a, b) => a.atMs - b.atMs);
  expect(last.at(-1)?.node).not.toBe(play.leader.id);
}

async function loseGossipThenLeader(play: Play, blocks: number): Promise<void> {
  const { leader } = play;
  await leader.callSequencer('dev_dropGossip', [-1]);
  const { number } = await leader.head();
  await waitFor(`${blocks} blocks nobody hears of`, BLOCKS_MS_MAX, async () =>
    (await leader.head()).number >= number + blocks ? true : null,
  );
  await leader.kill();
  await takenOver(play);
}

/** A harm, somebody else publishing because of it, and the leader back again. */
export function fromHarm(harm: Harm): Scene {
  return {
    title: harm.title,
    play: async (play) => {
      await harm.inflict(play);
      await takenOver(play);
      await harm.undo?.(play);
      play.cluster.heal();
      await play.cluster.revive();
      await progress(play);
    },
  };
}

/** Deaths and freezes. */
export const deaths: readonly Scene[] = [
  fromHarm(harms.conductorKilled),
  fromHarm(harms.sequencerKilled),
  fromHarm(harms.bothKilled),
  fromHarm(harms.conductorStopped),
  fromHarm(harms.sequencerStopped),
  fromHarm(harms.headStalled),
  ...[1, 2, 5].map((blocks) => ({
    title: `the last ${blocks} blocks are never gossiped and the leader dies`,
    play: (play: Play) => loseGossipThenLeader(play, blocks),
  })),
  {
    title: 'a server started moments before, several blocks behind, must take over',
    play: async (play) => {
      const { cluster, leader, random } = play;
      const late = random.pick(play.others);
      await late.kill();
      await progress(play, BLOCKS_BEHIND);
      cluster.startSequencer(late);
      // Only the log can bring it up: nothing is fetched from other sequencers.
      await waitFor('the late sequencer', BLOCKS_MS_MAX, () =>
        late.callSequencer('dev_peerSync', [false]).then(() => true),
      );
      late.startConductor('again');
      await waitFor('the late conductor to follow', BLOCKS_MS_MAX, async () => {
        const { id } = (await late.callConductor('conductor_leaderWithID')) as { id: string };
        return id === '' ? null : true;
      });
      await cluster.lead(late);
      await leader.kill();
      await takenOver(play);
      await late.callSequencer('dev_peerSync', [true]);
    },
  },
  {
    title: 'everything is killed and started again',
    play: async (play) => {
      await Promise.all(play.cluster.nodes.map((node) => node.kill()));
      await play.cluster.revive();
      await progress(play);
    },
  },
  {
    title: 'two conductors are down, then back',
    play: async (play) => {
      const { cluster, others, leader } = play;
      await Promise.all(others.map((node) => node.conductor.kill()));
      await waitFor('the last one to stop its sequencer', BLOCKS_MS_MAX, async () =>
        (await leader.callSequencer('admin_sequencerActive')) === false ? true : null,
      );
      const { highest } = cluster;
      const untilMs = performance.now() + IDLE_MS;
      await waitFor('slots to pass', BLOCKS_MS_MAX, () => (performance.now() > untilMs ? true : null));
      expect(cluster.highest, 'published without a majority').toBe(highest);
      play.random.pick(others).startConductor('again');
      await progress(play);
    },
  },
];

/** What operators do. */
export const operations: readonly Scene[] = [
  {
    title: 'leadership is transferred, to a named server and to any',
    play: async (play) => {
      await harms.transferred.inflict(play);
      await takenOver(play);
      await (await play.cluster.leader()).callConductor('conductor_transferLeader', [], TRANSFER_MS_MAX);
      await progress(play);
    },
  },
  {
    title: harms.drained.title,
    play: async (play) => {
      await harms.drained.inflict(play);
      expect(await play.leader.callSequencer('admin_sequencerActive')).toBe(false);
      await takenOver(play);
    },
  },
  {
    title: harms.rolled.title,
    play: async (play) => {
      await harms.rolled.inflict(play);
      await progress(play);
    },
  },
  {
    title: 'members are removed, added, demoted and promoted under load',
    play: async (play) => {
      const { cluster, others } = play;
      const [first, second] = others;
      await cluster.change('conductor_removeServer', first);
      await cluster.change('conductor_demoteVoter', second);
      await progress(play, 1);
      await cluster.change('conductor_addServerAsVoter', second);
      await cluster.change('conductor_addServerAsNonvoter', first);
      await cluster.change('conductor_addServerAsVoter', first);
      await play.leader.conductor.kill();
      await takenOver(play);
    },
  },
];

/** Links cut without a word; the cluster needs links. */
export const partitions: readonly Scene[] = [harms.notHeard, harms.notHearing, harms.cutOff].map(fromHarm);

/** Plays a scene on a steady cluster, puts everything right and returns the broken laws; prints the publishing gap. */
export async function playScene(cluster: ServiceCluster, scene: Scene, random: Seeded): Promise<string[]> {
  const leader = await cluster.steady();
  const others = cluster.others(leader) as [ServiceNode, ServiceNode];
  const sinceMs = Date.now();
  await scene.play({ cluster, leader, others, random });
  cluster.heal();
  await cluster.revive();
  await cluster.steady();
  const gapMs = publishingGap(cluster.published(), sinceMs);
  console.log(`${scene.title}: longest publishing gap ${(gapMs / 1000).toFixed(2)} s`);
  return cluster.brokenLaws();
}
