/**
 * The cluster in which the calls of the RPC reference are made: three conductors as `npm start` runs them, under
 * the ports of that page, brought into the state that a call is shown in and out of it again.
 */
import type { Given } from '../../site/engine/generated/conductor-method-notes.ts';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { AddressProxy } from './address-proxy.ts';
import { slowTimers } from './page-settings.ts';

const WAIT_MS_MAX = 30_000;
/** Ports of the first node of `npm start`; those of the others follow. */
const PORTS = { rpc: 8547, raft: 50_050, node: 8557, execution: 8567 };

interface Member {
  readonly id: string;
  readonly suffrage: number;
}

export class ReferenceCluster implements AsyncDisposable {
  readonly #cluster = new ServiceCluster({
    implementations: ['bun', 'bun', 'bun'],
    settings: {
      healthIntervalSeconds: 1,
      unsafeIntervalSeconds: 5,
      conductorFlags: () => [
        `--raft.heartbeat-timeout=${slowTimers.OP_CONDUCTOR_RAFT_HEARTBEAT_TIMEOUT}`,
        `--raft.lease-timeout=${slowTimers.OP_CONDUCTOR_RAFT_LEASE_TIMEOUT}`,
      ],
    },
  });
  readonly #proxy: AddressProxy;

  constructor() {
    this.#proxy = new AddressProxy(
      new Map(
        this.#cluster.nodes.flatMap((node, at) => [
          [`127.0.0.1:${PORTS.rpc + at}`, node.addresses.rpc],
          [`127.0.0.1:${PORTS.node + at}`, node.addresses.node],
          [`127.0.0.1:${PORTS.execution + at}`, node.addresses.execution],
          [`127.0.0.1:${PORTS.raft + at}`, node.advertised],
        ]),
      ),
    );
  }

  get proxyUrl(): string {
    return this.#proxy.url;
  }

  async form(): Promise<void> {
    await this.#cluster.form();
  }

  /** Brings about the state in which a call is shown. */
  async prepare(given: Given): Promise<void> {
    const [first, second, third] = this.#nodes;
    await this.#restore();
    switch (given) {
      case 'node-1 leads':
        return;
      case 'node-1 is paused':
        return void (await first.callConductor('conductor_pause'));
      case 'node-2 is overridden':
        return void (await second.callConductor('conductor_overrideLeader', [true]));
      case 'node-3 is a nonvoter':
        return this.#cluster.change('conductor_demoteVoter', third);
      case 'node-3 is no member':
        return this.#cluster.change('conductor_removeServer', third);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.#cluster[Symbol.asyncDispose]();
  }

  get #nodes(): readonly [ServiceNode, ServiceNode, ServiceNode] {
    return this.#cluster.nodes as unknown as readonly [ServiceNode, ServiceNode, ServiceNode];
  }

  /** Three voters that run, none paused or overridden, node-1 leading and sequencing. */
  async #restore(): Promise<void> {
    const [first] = this.#nodes;
    for (const node of this.#nodes) {
      if (await this.#hasStopped(node)) {
        await node.conductor.ended();
        node.startConductor('again');
      }
      await waitFor(`${node.id} to answer`, WAIT_MS_MAX, async () =>
        (await node.callConductor('conductor_paused')) === null ? null : true,
      );
      if ((await node.callConductor('conductor_paused')) === true) await node.callConductor('conductor_resume');
      if ((await node.callConductor('conductor_leaderOverridden')) === true)
        await node.callConductor('conductor_overrideLeader', [false]);
    }
    const { servers } = (await (await this.#cluster.leader()).callConductor('conductor_clusterMembership')) as {
      servers: Member[];
    };
    for (const node of this.#nodes) {
      const suffrage = servers.find(({ id }) => id === node.id)?.suffrage;
      if (suffrage === undefined) await this.#cluster.change('conductor_addServerAsNonvoter', node);
      if (suffrage !== 0) await this.#cluster.change('conductor_addServerAsVoter', node);
    }
    await this.#cluster.lead(first);
    await waitFor('node-1 to sequence, all of them healthy', WAIT_MS_MAX, async () => {
      for (const node of this.#nodes) {
        const trouble = await node.trouble();
        if (trouble !== '') throw new Error(trouble);
        if ((await node.callSequencer('admin_sequencerActive')) !== (node === first))
          throw new Error(`${node.id} sequences, or does not`);
      }
      return true;
    });
  }

  /** A conductor that was told to stop answers nothing any more, or says so. */
  async #hasStopped(node: ServiceNode): Promise<boolean> {
    return node.callConductor('conductor_stopped').then(
      (answer) => answer === true,
      () => true,
    );
  }
}
