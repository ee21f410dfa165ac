/**
 * A rollup as the setup section describes it: sequencer-0 to sequencer-2, each an op-node (a development
 * sequencer) and, once deployed, a conductor, configured by the very blocks of the page. Host names and ports of
 * the page lead here through a proxy; what a block leaves open is filled in as `settings` says, nothing else.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callRpc } from '#conductor/dev-sequencer/json-rpc-client';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { GossipListener } from '../cluster/gossip-listener.ts';
import type { Block, Publication } from '../cluster/publications.ts';
import { heightsWithTwoHashes, newHeights, overlappingPublishers, publishingGap } from '../cluster/service-laws.ts';
import { waitFor } from '../cluster/wait.ts';
import type { SwitchTimes } from '../../site/engine/generated/conductor-blue-green.ts';
import { AddressProxy } from './address-proxy.ts';
import { PageServer, PORTS } from './page-server.ts';
import { slowTimers, type Settings } from './page-settings.ts';

const HOST = '127.0.0.1';
const WAIT_MS_MAX = 30_000;
const CALL_MS_MAX = 5_000;
export class PageRollup implements AsyncDisposable {
  readonly servers: readonly PageServer[];
  readonly #directory = mkdtempSync(join(tmpdir(), 'page-rollup-'));
  readonly #genesisTime = Math.floor(Date.now() / 1000);
  readonly #listener = new GossipListener();
  readonly #proxy: AddressProxy;

  constructor() {
    this.servers = [0, 1, 2].map((at) => new PageServer(at, this.#directory));
    const addresses = this.servers.flatMap(({ ports }, at) =>
      (
        [
          [`conductor-${at}:${PORTS.rpc}`, ports.rpc],
          [`conductor-${at}:${PORTS.raft}`, ports.raft],
          [`conductor-${at}:${PORTS.metrics}`, ports.metrics],
          [`op-node-${at}:${PORTS.node}`, ports.node],
          [`op-geth-${at}:${PORTS.execution}`, ports.execution],
        ] as const
      ).map(([page, port]) => [page, `${HOST}:${port}`] as const),
    );
    this.#proxy = new AddressProxy(new Map(addresses));
  }

  get proxyUrl(): string {
    return this.#proxy.url;
  }

  /** Starts an op-node with the settings of the page, or anew with others; without settings it knows no conductor. */
  async deployOpNode(at: number, settings: Settings = {}): Promise<void> {
    const server = this.#server(at);
    const {
      OP_NODE_CONDUCTOR_ENABLED: enabled,
      OP_NODE_CONDUCTOR_RPC: rpc = '',
      OP_NODE_RPC_ADMIN_STATE: state,
      ...rest
    } = settings;
    if (Object.keys(rest).length > 0)
      throw new Error(`the stand-in for op-node does not know ${Object.keys(rest).join(', ')}`);
    if (enabled === 'true' && state !== '') throw new Error('op-node refuses an admin state beside a conductor');
    await server.opNode.end('SIGTERM');
    const peers = this.servers.filter((other) => other !== server).map(({ ports }) => `http://${HOST}:${ports.node}`);
    server.opNode.start([
      ...conductorCommand(),
      'dev-sequencer',
      `--data-dir=${server.folder}`,
      `--node-port=${server.ports.node}`,
      `--execution-port=${server.ports.execution}`,
      `--genesis-time=${this.#genesisTime}`,
      `--peers=${[...peers, this.#listener.url].join(',')}`,
      ...(enabled === 'true' ? [`--conductor-rpc=${this.#proxy.toReal(rpc)}`] : []),
    ]);
    await waitFor(`op-node-${at} to answer`, WAIT_MS_MAX, async () => (await this.head(at)) && true);
  }

  /** Starts a conductor with the settings of the page, or anew with others. */
  async deployConductor(at: number, settings: Settings): Promise<void> {
    const { conductor, folder, ports } = this.#server(at);
    await conductor.end('SIGTERM');
    const local: Record<string, string> = {
      OP_CONDUCTOR_CONSENSUS_PORT: String(ports.raft),
      OP_CONDUCTOR_RPC_PORT: String(ports.rpc),
      OP_CONDUCTOR_METRICS_PORT: String(ports.metrics),
      OP_CONDUCTOR_RAFT_STORAGE_DIR: join(folder, 'raft'),
    };
    mkdirSync(join(folder, 'raft'), { recursive: true });
    const words = Object.entries({ ...slowTimers, ...settings }).map(([name, value]) => {
      const written = this.#proxy.toReal(value).replace('0.0.0.0', HOST);
      return `${name}=${local[name] ?? written}`;
    });
    // It replaces itself by the conductor, so the process is the conductor's.
    conductor.start(['env', ...words, ...conductorCommand()]);
  }

  /** Waits for the conductor to answer. */
  async answers(at: number): Promise<void> {
    const { conductor } = this.#server(at);
    await waitFor(`conductor-${at} to answer`, WAIT_MS_MAX, async () => {
      conductor.requireAlive();
      return (await this.conductor(at, 'conductor_paused')) === null ? null : true;
    });
  }

  /** Waits for a conductor that ends by itself; its last line. */
  async failedStart(at: number): Promise<string> {
    const { conductor } = this.#server(at);
    const code = await conductor.ended();
    if (code !== 1) throw new Error(`conductor-${at} ended with ${code}, not 1`);
    return conductor.log().trimEnd().split('\n').at(-1) ?? '';
  }

  /** Forms a cluster that sequencer-0 leads, in short: what the eleven steps do for a running chain. */
  async form(settings: (at: number) => Settings): Promise<void> {
    await this.deployConductor(0, { ...settings(0), OP_CONDUCTOR_RAFT_BOOTSTRAP: 'true' });
    await this.oneLeads();
    for (const at of [1, 2]) {
      await this.deployConductor(at, settings(at));
      await this.answers(at);
      await this.conductor(0, 'conductor_addServerAsVoter', [
        this.#server(at).id,
        `${HOST}:${this.#server(at).ports.raft}`,
        0,
      ]);
    }
    await this.sequence(0);
    for (const at of [0, 1, 2]) {
      await this.ready(at);
      await waitFor(`conductor-${at} to be well`, WAIT_MS_MAX, async () =>
        (await this.conductor(at, 'conductor_sequencerHealthy')) === true ? true : null,
      );
    }
    await this.conductor(0, 'conductor_resume');
  }

  /** Waits until one conductor leads, and only its sequencer is active; its name. */
  async oneLeads(): Promise<string> {
    return waitFor('one leader', WAIT_MS_MAX, async () => {
      const running = this.servers
        .filter(({ conductor }) => conductor.isRunning)
        .map((server) => this.servers.indexOf(server));
      const leads = await Promise.all(running.map((at) => this.conductor(at, 'conductor_leader')));
      const leaders = running.filter((_, index) => leads[index] === true);
      return leaders.length === 1 ? this.#server(leaders[0] as number).id : null;
    });
  }

  /** Waits until a conductor could take over. */
  async ready(at: number): Promise<void> {
    await waitFor(`conductor-${at} to be ready`, WAIT_MS_MAX, async () => {
      const answer = await fetch(`http://${HOST}:${this.#server(at).ports.rpc}/readyz`, {
        signal: AbortSignal.timeout(CALL_MS_MAX),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return true;
    });
  }

  conductor(at: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
    return callRpc({ url: `http://${HOST}:${this.#server(at).ports.rpc}`, timeoutMs: CALL_MS_MAX }, method, params);
  }

  opNode(at: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
    return callRpc({ url: `http://${HOST}:${this.#server(at).ports.node}`, timeoutMs: CALL_MS_MAX }, method, params);
  }

  async head(at: number): Promise<Block> {
    return ((await this.opNode(at, 'optimism_syncStatus')) as { unsafe_l2: Block }).unsafe_l2;
  }

  /** Three op-nodes that know each other; sequencer-0 is active and has made blocks, all follow. */
  async start(settings: (at: number) => Settings = () => ({})): Promise<void> {
    for (const at of [0, 1, 2]) await this.deployOpNode(at, settings(at));
    const { genesis } = (await this.opNode(0, 'optimism_rollupConfig')) as { genesis: { l2: { hash: string } } };
    // A fourth peer, as verifiers are to real sequencers: one of them may restart without all lacking peers.
    this.#listener.genesis = genesis.l2.hash;
  }

  async sequence(at: number): Promise<void> {
    await this.opNode(at, 'admin_startSequencer', [(await this.head(at)).hash]);
    await this.progress(2);
  }

  /** Waits for that many more published blocks, and until all have them. */
  async progress(blocks: number): Promise<void> {
    const goal = this.#highest() + blocks;
    await waitFor(`block ${goal} on all`, WAIT_MS_MAX, async () => {
      const heads = await Promise.all(this.servers.map((_, at) => this.head(at)));
      if (heads.some(({ number }) => number < goal))
        throw new Error(`heads ${heads.map(({ number }) => number).join(', ')}`);
      return true;
    });
  }

  /** Sentences about what was broken: a missed height, two hashes of one, two who published at once, a lost block. */
  async brokenLaws(): Promise<string[]> {
    await this.progress(2);
    const published = this.#published();
    const heights = newHeights(published).map(({ number }) => number);
    const missed = heights.flatMap((number, at) =>
      at > 0 && number !== (heights[at - 1] as number) + 1 ? [`height ${number} came after ${heights[at - 1]}`] : [],
    );
    const starts = this.servers.flatMap(({ record }) => record.starts());
    const chain = new Set((this.servers[0] as PageServer).record.chain().map(({ hash }) => hash));
    const lost = published.filter(({ number, hash }) => number < this.#highest() - 1 && !chain.has(hash));
    return [
      ...missed,
      ...heightsWithTwoHashes([...published, ...this.#listener.heard]),
      ...overlappingPublishers(published, starts),
      ...lost.map(({ number, hash }) => `block ${number}, ${hash}, is not on the chain any more`),
    ];
  }

  /** Longest time between two new blocks since then (Unix milliseconds), in seconds. */
  longestGapSeconds(sinceMs: number): string {
    return (publishingGap(this.#published(), sinceMs) / 1000).toFixed(2);
  }

  /** When sequencing moved from one server to another, in milliseconds after the last block of the first. */
  switchTimes(from: number, to: number): SwitchTimes {
    const [last] = this.#server(from).record.published().toReversed();
    const [first] = this.#server(to).record.published();
    const [start] = this.#server(to).record.starts();
    if (last === undefined || first === undefined || start === undefined)
      throw new Error(`sequencing did not move from ${this.#server(from).id} to ${this.#server(to).id}`);
    return { startMs: start.atMs - last.atMs, gapMs: first.atMs - last.atMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.flatMap(({ conductor, opNode }) => [conductor.kill(), opNode.kill()]));
    for (const { record } of this.servers) record.close();
    await this.#listener.close();
    await this.#proxy[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #server(at: number): PageServer {
    return this.servers[at] as PageServer;
  }

  #published(): Publication[] {
    return this.servers.flatMap(({ record }) => record.published());
  }

  #highest(): number {
    return newHeights(this.#published()).at(-1)?.number ?? 0;
  }
}
