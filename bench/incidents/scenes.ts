/**
 * Public incidents of sequencer high availability as things that are done to a cluster, each in the fewest steps that made
 * it: on services of conductors with development sequencers, or on the real net. Which is which the page
 * content/pages/conductor/incidents tells, with sources; `simulator/incidents.ts` has the same as simulated runs.
 */
import { doneForReal, type IncidentId } from '#simulator/incidents';
import type { Stage as ServiceStage } from '../../tests/cluster/service-harms.ts';
import type { ServiceNode } from '../../tests/cluster/service-node.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { invalidSeals, leaderRefusesAll, originLost } from '../disagreement/acts.ts';
import { allClientsKilled } from '../disagreement/losses.ts';
import type { Row } from '../disagreement/rows.ts';

/** Blocks that nobody hears of; op-conductor hands over one. */
const UNHEARD_BLOCKS = 3;
const WAIT_MS_MAX = 30_000;
const LOOK_EVERY_MS = 20;
/** What is built on an L1 block until it is seen to be lost. */
const GIVEN_UP_MAX = 6;

/** What is measured: the longest time without a new block, or how long two sequencers were started at once. */
export type Measure = 'gap' | 'two-started';

/** Done to a service; the others are in the order of the membership. */
export interface ServiceScene {
  readonly on: 'service';
  readonly id: IncidentId;
  readonly measure: Measure;
  /** Returns milliseconds where these are not the longest gap; null: longer than anybody waited. */
  readonly act: (stage: ServiceStage) => Promise<number | null | void>;
}

export interface NetScene {
  readonly on: 'net';
  readonly id: IncidentId;
  readonly measure: Measure;
  readonly row: Omit<Row, 'title'>;
}

export type Scene = ServiceScene | NetScene;

/** Builds nothing and inserts nothing. */
async function stall(nodes: readonly (ServiceNode | undefined)[]): Promise<void> {
  for (const node of nodes) await node?.callSequencer('dev_stallHead', [true]);
}

/** How long a sequencer stays started; null where that lasts longer than anybody waits. */
async function startedFor(node: ServiceNode): Promise<number | null> {
  const sinceMs = performance.now();
  while ((await node.callSequencer('admin_sequencerActive')) === true) {
    if (performance.now() - sinceMs > WAIT_MS_MAX) return null;
    await pause(LOOK_EVERY_MS);
  }
  return performance.now() - sinceMs;
}

const onServices: readonly ServiceScene[] = [
  {
    ...{ on: 'service', id: 'base-2025-08-05', measure: 'gap' },
    act: async ({ leader, others }) => {
      await others[0]?.callConductor('conductor_pause');
      await stall([others[0], leader]);
    },
  },
  {
    ...{ on: 'service', id: 'optimism-18697', measure: 'gap' },
    act: async ({ leader, others }) => {
      await Promise.all([others[0]?.sequencer.kill(), leader.sequencer.kill()]);
    },
  },
  {
    ...{ on: 'service', id: 'optimism-18845', measure: 'gap' },
    act: ({ leader, others }) => stall([others[0], leader]),
  },
  {
    ...{ on: 'service', id: 'optimism-13438', measure: 'two-started' },
    act: async ({ cluster, leader, others }) => {
      await leader.callSequencer('dev_failStopOnce');
      await cluster.lead(others[0] as ServiceNode);
      return startedFor(leader);
    },
  },
  {
    ...{ on: 'service', id: 'optimism-22094', measure: 'gap' },
    act: async ({ leader }) => {
      await leader.callSequencer('dev_dropGossip', [-1]);
      const { number } = await leader.head();
      await waitFor('blocks that reach nobody', WAIT_MS_MAX, async () =>
        (await leader.head()).number >= number + UNHEARD_BLOCKS ? true : null,
      );
      await leader.kill();
    },
  },
];

const net = { on: 'net', measure: 'gap' } as const;
const row = { measure: 'longest gap', on: {} } as const;

const onTheNet: readonly NetScene[] = [
  {
    ...{ ...net, id: 'base-2026-06-25' },
    row: { ...row, act: invalidSeals({ seals: 1, isSticky: true }) },
  },
  {
    ...{ ...net, id: 'base-2026-06-26' },
    row: { ...row, act: allClientsKilled },
  },
  {
    ...{ ...net, id: 'op-mainnet-2024-02-15' },
    row: { ...row, act: leaderRefusesAll },
  },
  {
    ...{ ...net, id: 'optimism-20006' },
    row: { ...row, act: originLost, givenUpMax: GIVEN_UP_MAX },
  },
];

export const scenes: readonly Scene[] = [...onServices, ...onTheNet];

/** What is done, as a half-sentence. */
export function titleOf({ id }: Scene): string {
  return doneForReal[id] ?? id;
}
