/**
 * Three conductors with development sequencers in a temporary directory: formed by the documented
 * procedure, watched until they are steady, judged by the laws. Disposable: `await using cluster = …`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CuttableLink } from './cuttable-link.ts';
import { freePorts } from './free-ports.ts';
import { GossipListener } from './gossip-listener.ts';
import type { Implementation } from './node-process.ts';
import type { Publication } from './publications.ts';
import { heightsWithTwoHashes, lostPayloads, newHeights, overlappingPublishers } from './service-laws.ts';
import { ServiceNode, type ServiceSettings, type ServiceShared } from './service-node.ts';
import { waitFor } from './wait.ts';

const FORM_MS_MAX = 60_000;
const STEADY_MS_MAX = 60_000;
/** Longest wait for one change of membership or leadership; op-conductor gives up after 5 s. */
const MEMBERSHIP_CALL_MS_MAX = 6_000;
/** Blocks by which the heads of steady nodes may differ: one is on its way. */
const HEAD_SPREAD_MAX = 1;

export interface ServiceClusterOptions {
  readonly implementations: readonly Implementation[];
  readonly settings: ServiceSettings;
  /** Puts a proxy before every raft port, so that `cut` works. */
  readonly hasLinks?: boolean;
  /** Where the temporary directory is made. */
  readonly parent?: string;
}

export class ServiceCluster implements AsyncDisposable {
  readonly nodes: readonly ServiceNode[];
  readonly directory: string;
  readonly #listener = new GossipListener();
  readonly #links: CuttableLink[] = [];
  readonly #cuts = new Set<string>();
  readonly #shared: ServiceShared;
  readonly #hasLinks: boolean;

  constructor(options: ServiceClusterOptions) {
    this.directory = mkdtempSync(join(options.parent ?? tmpdir(), 'conductor-service-'));
    this.#hasLinks = options.hasLinks ?? false;
    this.#shared = {
      directory: this.directory,
      settings: options.settings,
      genesisTime: Math.floor(Date.now() / 1000),
      rollupConfig: join(this.directory, 'rollup.json'),
    };
    this.nodes = options.implementations.map((each, at) => new ServiceNode(`node-${at + 1}`, each, this.#shared));
  }

  /** Bootstraps the first, lets the others join, starts sequencing, hands control over. */
  async form(): Promise<void> {
    if (this.#hasLinks) await this.#link();
    for (const node of this.nodes) this.startSequencer(node);
    const [first, ...others] = this.nodes as [ServiceNode, ...ServiceNode[]];
    const rollup = await this.#until('sequencers to answer', async () => {
      await Promise.all(this.nodes.map((node) => node.head()));
      return first.callSequencer('optimism_rollupConfig');
    });
    writeFileSync(this.#shared.rollupConfig, JSON.stringify(rollup));
    first.startConductor('bootstrap');
    for (const node of others) node.startConductor('join');
    await this.#until('a leader', async () => ((await first.callConductor('conductor_leader')) === true ? true : null));
    for (const node of others) {
      await this.#until(`${node.id} to answer`, async () => (await node.callConductor('conductor_paused')) ?? null);
      await this.change('conductor_addServerAsNonvoter', node);
    }
    for (const node of others) await this.change('conductor_addServerAsVoter', node);
    await first.callSequencer('admin_startSequencer', [(await first.head()).hash]);
    for (const node of this.nodes) {
      await this.#until(`${node.id} to follow`, async () => ((await node.head()).number >= 1 ? true : null));
    }
    for (const node of this.nodes) await node.callConductor('conductor_resume');
    await this.steady();
  }

  /** Calls a membership method on whoever leads until it succeeds. */
  async change(method: string, node: ServiceNode): Promise<void> {
    const params =
      method === 'conductor_removeServer' || method === 'conductor_demoteVoter' ? [0] : [node.advertised, 0];
    await this.#until(`${method} ${node.id}`, async () => {
      await (await this.leader()).callConductor(method, [node.id, ...params], MEMBERSHIP_CALL_MS_MAX);
      return true;
    });
  }

  startSequencer(node: ServiceNode): void {
    const peers = this.nodes.filter((other) => other !== node).map((other) => other.nodeUrl);
    node.startSequencer([...peers, this.#listener.url]);
  }

  /** Starts again whatever was ended on purpose, and continues what was stopped. */
  async revive(): Promise<void> {
    for (const node of this.nodes) {
      node.conductor.thaw();
      node.sequencer.thaw();
      if (node.sequencer.isDown) this.startSequencer(node);
    }
    for (const node of this.nodes.filter(({ conductor }) => conductor.isDown)) {
      // An op-conductor ends when nobody listens there.
      if (node.implementation === 'go') await this.#until(`${node.id} to answer`, () => node.head().then(() => true));
      node.startConductor('again');
    }
  }

  others(node: ServiceNode): ServiceNode[] {
    return this.nodes.filter((other) => other !== node);
  }

  /** Nodes whose conductor says that it leads, now; silent ones do not. */
  async leaders(among: readonly ServiceNode[] = this.nodes): Promise<ServiceNode[]> {
    const asked = among
      .filter((node) => node.conductor.isRunning)
      .map(async (node) => ((await node.callConductor('conductor_leader')) === true ? [node] : []));
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  /** The only one that says it leads, once there is exactly one. */
  leader(among: readonly ServiceNode[] = this.nodes, timeoutMs = STEADY_MS_MAX): Promise<ServiceNode> {
    return waitFor('one leader', timeoutMs, async () => {
      const leaders = await this.leaders(among);
      return leaders.length === 1 ? (leaders[0] as ServiceNode) : null;
    });
  }

  /** Hands leadership to a node, whoever has it, until that node says that it leads. */
  async lead(target: ServiceNode): Promise<void> {
    await waitFor(`${target.id} to lead`, STEADY_MS_MAX, async () => {
      const leader = await this.leader();
      if (leader === target) return true;
      await leader.callConductor(
        'conductor_transferLeaderToServer',
        [target.id, target.advertised],
        MEMBERSHIP_CALL_MS_MAX,
      );
      return null;
    });
  }

  /** Waits until all run, one leads and only it sequences, all could take over, and blocks flow; returns the leader. */
  async steady(timeoutMs = STEADY_MS_MAX): Promise<ServiceNode> {
    const { highest } = this;
    return waitFor('a steady cluster', timeoutMs, async () => {
      for (const node of this.nodes) {
        node.conductor.requireAlive();
        node.sequencer.requireAlive();
      }
      const leaders = await this.leaders();
      if (leaders.length !== 1) throw new Error(`${leaders.length} leaders`);
      for (const node of this.nodes) {
        const trouble = await node.trouble();
        if (trouble !== '') throw new Error(trouble);
        const isActive = await node.callSequencer('admin_sequencerActive');
        if (isActive !== leaders.includes(node))
          throw new Error(`sequencer of ${node.id}: active is ${String(isActive)}`);
      }
      const heads = (await Promise.all(this.nodes.map((node) => node.head()))).map(({ number }) => number);
      if (Math.max(...heads) - Math.min(...heads) > HEAD_SPREAD_MAX || Math.min(...heads) <= highest)
        throw new Error(`heads ${heads.join(', ')}, published before ${highest}`);
      return leaders[0] as ServiceNode;
    });
  }

  /** Highest block anybody published. */
  get highest(): number {
    return newHeights(this.published()).at(-1)?.number ?? 0;
  }

  /** Everything anybody published, dead sequencers included. */
  published(): Publication[] {
    return this.nodes.flatMap((node) => node.record.published());
  }

  /** Waits until `count` heights above those published by now are published. */
  async progress(count: number, timeoutMs: number): Promise<void> {
    const goal = this.highest + count;
    await waitFor(`block ${goal}`, timeoutMs, () => (this.highest >= goal ? true : null));
  }

  /** Holds back all bytes from one server to another; both ways unless `isOneWay`. */
  cut(from: ServiceNode, to: ServiceNode, isOneWay = false): void {
    this.#cuts.add(`${from.id} ${to.id}`);
    if (!isOneWay) this.#cuts.add(`${to.id} ${from.id}`);
    for (const link of this.#links) link.review();
  }

  /** Lets all bytes through again. */
  heal(): void {
    this.#cuts.clear();
    for (const link of this.#links) link.review();
  }

  /** Sentences about what was broken so far. All sequencers must have the whole chain: call `steady` before. */
  brokenLaws(): string[] {
    // Publications first: a chain read later holds all of them.
    const published = this.published();
    const unpublished = this.nodes.flatMap((node) => node.record.acknowledgedOnly());
    const steady = published.filter(({ number }) => number < this.highest);
    const chains = this.nodes.map((node) => ({ node: node.id, blocks: node.record.chain() }));
    return [
      ...heightsWithTwoHashes([...published, ...this.#listener.heard]),
      ...lostPayloads([...steady, ...unpublished], chains),
      ...overlappingPublishers(
        published,
        this.nodes.flatMap((node) => node.record.starts()),
      ),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const node of this.nodes) node.record.close();
    for (const link of this.#links) link[Symbol.dispose]();
    await this.#listener.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #link(): Promise<void> {
    const senders = this.nodes.map(({ id }) => id);
    for (const node of this.nodes) {
      const [port] = freePorts(1) as [number];
      const isCut = (from: string, to: string): boolean => this.#cuts.has(`${from} ${to}`);
      const link = new CuttableLink({ port, targetPort: node.raftPort, to: node.id, senders, isCut });
      await link.listen();
      node.advertised = `127.0.0.1:${port}`;
      this.#links.push(link);
    }
  }

  #until<T>(what: string, probe: () => Promise<T | null>): Promise<T> {
    return waitFor(what, FORM_MS_MAX, async () => {
      for (const node of this.nodes) node.sequencer.requireAlive();
      return probe();
    });
  }
}
