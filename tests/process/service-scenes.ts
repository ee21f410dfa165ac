/**
 * What is done to a service of three conductors and sequencers, one scene each. A scene begins with a
 * steady cluster and its leader; whatever it leaves killed, stopped or cut is put right afterwards.
 */
import { expect } from 'vitest';
import type { Seeded } from '../cluster/seeded.ts';
import type { ServiceCluster } from '../cluster/service-cluster.ts';
import { publishingGap } from '../cluster/service-laws.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';

/** Longest wait for blocks that must come; no measure of anything. */
const BLOCKS_MS_MAX = 60_000;
/** Blocks awaited after the harm: the second is built on what the new leader published itself. */
const BLOCKS_AFTER = 2;
/** Slots that pass without a block when nobody can have a majority. */
const IDLE_MS = 2_500;

interface Play {
  readonly cluster: ServiceCluster;
  readonly leader: ServiceNode;
  readonly others: readonly [ServiceNode, ServiceNode];
  readonly random: Seeded;
}

export interface Scene {
  readonly title: string;
  readonly play: (play: Play) => Promise<void>;
}

const progress = ({ cluster }: Play, blocks = BLOCKS_AFTER): Promise<void> => cluster.progress(blocks, BLOCKS_MS_MAX);

/** Somebody else must publish: the leader was made unable to. */
async function takenOver(play: Play): Promise<void> {
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

/** Deaths and freezes. */
export const deaths: readonly Scene[] = [
  {
    title: "the leader's conductor is killed",
    play: async (play) => {
      await play.leader.conductor.kill();
      await takenOver(play);
    },
  },
  {
    title: "the leader's sequencer is killed",
    play: async (play) => {
      await play.leader.sequencer.kill();
      await takenOver(play);
    },
  },
  {
    title: "the leader's conductor and sequencer are killed",
    play: async (play) => {
      await play.leader.kill();
      await takenOver(play);
    },
  },
  {
    title: "the leader's conductor is stopped and continued",
    play: async (play) => {
      play.leader.conductor.freeze();
      await takenOver(play);
      play.leader.conductor.thaw();
      await progress(play);
    },
  },
  {
    title: "the leader's sequencer is stopped and continued",
    play: async (play) => {
      play.leader.sequencer.freeze();
      await takenOver(play);
      play.leader.sequencer.thaw();
      await progress(play);
    },
  },
  {
    title: "the leader's head stalls",
    play: async (play) => {
      await play.leader.callSequencer('dev_stallHead', [true]);
      await takenOver(play);
      await play.leader.callSequencer('dev_stallHead', [false]);
      await progress(play);
    },
  },
  ...[1, 2, 5].map((blocks) => ({
    title: `the last ${blocks} blocks are never gossiped and the leader dies`,
    play: (play: Play) => loseGossipThenLeader(play, blocks),
  })),
  {
    title: 'everything is killed and started again',
    play: async (play) => {
      await Promise.all(play.cluster.nodes.map((node) => node.kill()));
      play.cluster.revive();
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
      const target = play.random.pick(play.others);
      await play.leader.callConductor('conductor_transferLeaderToServer', [target.id, target.advertised], 6000);
      await takenOver(play);
      await (await play.cluster.leader()).callConductor('conductor_transferLeader', [], 6000);
      await progress(play);
    },
  },
  {
    title: "the leader's conductor is asked to end",
    play: async (play) => {
      expect(await play.leader.conductor.end('SIGTERM')).toBe(0);
      expect(await play.leader.callSequencer('admin_sequencerActive')).toBe(false);
      await takenOver(play);
    },
  },
  {
    title: 'every conductor is restarted in turn',
    play: async (play) => {
      for (const node of play.cluster.nodes) {
        expect(await node.conductor.end('SIGTERM'), `exit code of ${node.id}`).toBe(0);
        node.startConductor('again');
        await waitFor(`${node.id} to be ready`, BLOCKS_MS_MAX, async () =>
          (await node.trouble()) === '' ? true : null,
        );
      }
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

function cutOff(title: string, cut: (play: Play, other: ServiceNode) => void): Scene {
  return {
    title,
    play: async (play) => {
      for (const other of play.others) cut(play, other);
      await takenOver(play);
      play.cluster.heal();
      await progress(play);
    },
  };
}

/** Links cut without a word; the cluster needs links. */
export const partitions: readonly Scene[] = [
  cutOff('the leader can be heard no more, but hears', ({ cluster, leader }, other) =>
    cluster.cut(leader, other, true),
  ),
  cutOff('the leader hears no more, but can be heard', ({ cluster, leader }, other) =>
    cluster.cut(other, leader, true),
  ),
  cutOff('the leader is cut off both ways', ({ cluster, leader }, other) => cluster.cut(leader, other)),
];

/** Plays a scene on a steady cluster, puts everything right and returns the broken laws; prints the publishing gap. */
export async function playScene(cluster: ServiceCluster, scene: Scene, random: Seeded): Promise<string[]> {
  const leader = await cluster.steady();
  const others = cluster.others(leader) as [ServiceNode, ServiceNode];
  const sinceMs = Date.now();
  await scene.play({ cluster, leader, others, random });
  cluster.heal();
  cluster.revive();
  await cluster.steady();
  const gapMs = publishingGap(cluster.published(), sinceMs);
  console.log(`${scene.title}: longest publishing gap ${(gapMs / 1000).toFixed(2)} s`);
  return cluster.brokenLaws();
}
