/**
 * What can happen to the leader of a service: each harm is done in one place, for scenes that judge
 * what is published and for the benchmark that measures how long nothing is.
 */
import type { ServiceCluster } from './service-cluster.ts';
import type { ServiceNode } from './service-node.ts';
import { waitFor } from './wait.ts';

const READY_MS_MAX = 60_000;

/** A steady cluster, its leader, and the others. */
export interface Stage {
  readonly cluster: ServiceCluster;
  readonly leader: ServiceNode;
  readonly others: readonly ServiceNode[];
}

export interface Harm {
  /** A half-sentence: what happened. */
  readonly title: string;
  readonly inflict: (stage: Stage) => Promise<void>;
  /** What `heal` and `revive` of the cluster do not undo. */
  readonly undo?: (stage: Stage) => Promise<void>;
  /** It is over when inflicted, and the same server may lead afterwards. */
  readonly mayKeepLeader?: boolean;
  /** The cluster must have been formed with links. */
  readonly needsLinks?: boolean;
}

async function rollingRestart({ cluster }: Stage): Promise<void> {
  for (const node of cluster.nodes) {
    const code = await node.conductor.end('SIGTERM');
    if (code !== 0) throw new Error(`${node.id} ended with code ${code}`);
    node.startConductor('again');
    await waitFor(`${node.id} to be ready`, READY_MS_MAX, async () => {
      const trouble = await node.trouble();
      if (trouble !== '') throw new Error(trouble);
      return true;
    });
  }
}

async function stall({ leader }: Stage, isStalled: boolean): Promise<void> {
  await leader.callSequencer('dev_stallHead', [isStalled]);
}

function cutAll({ cluster, leader, others }: Stage, way: 'from' | 'to' | 'both'): Promise<void> {
  for (const other of others) {
    if (way === 'to') cluster.cut(other, leader, true);
    else cluster.cut(leader, other, way === 'from');
  }
  return Promise.resolve();
}

export const harms = {
  conductorKilled: { title: "the leader's conductor is killed", inflict: ({ leader }) => leader.conductor.kill() },
  sequencerKilled: { title: "the leader's sequencer is killed", inflict: ({ leader }) => leader.sequencer.kill() },
  bothKilled: { title: "the leader's conductor and sequencer are killed", inflict: ({ leader }) => leader.kill() },
  conductorStopped: {
    title: "the leader's conductor is stopped and continued",
    inflict: async ({ leader }) => leader.conductor.freeze(),
  },
  sequencerStopped: {
    title: "the leader's sequencer is stopped and continued",
    inflict: async ({ leader }) => leader.sequencer.freeze(),
  },
  headStalled: {
    title: "the leader's head stalls",
    inflict: (stage) => stall(stage, true),
    undo: (stage) => stall(stage, false),
  },
  notHeard: {
    title: 'the leader can be heard no more, but hears',
    inflict: (stage) => cutAll(stage, 'from'),
    needsLinks: true,
  },
  notHearing: {
    title: 'the leader hears no more, but can be heard',
    inflict: (stage) => cutAll(stage, 'to'),
    needsLinks: true,
  },
  powerCut: {
    title: 'the leader and its sequencer are without power: nothing leaves them, no connection is closed',
    inflict: async (stage) => {
      await cutAll(stage, 'both');
      stage.leader.conductor.freeze();
      stage.leader.sequencer.freeze();
    },
    needsLinks: true,
  },
  cutOff: { title: 'the leader is cut off both ways', inflict: (stage) => cutAll(stage, 'both'), needsLinks: true },
  transferred: {
    title: 'leadership is transferred',
    inflict: ({ cluster, others }) => cluster.lead(others[0] as ServiceNode),
  },
  drained: {
    title: "the leader's conductor is asked to end",
    inflict: async ({ leader }) => {
      const code = await leader.conductor.end('SIGTERM');
      if (code !== 0) throw new Error(`${leader.id} ended with code ${code}`);
    },
  },
  rolled: { title: 'every conductor is restarted in turn', inflict: rollingRestart, mayKeepLeader: true },
} as const satisfies Record<string, Harm>;
