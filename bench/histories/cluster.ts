/**
 * Three or five conductors as processes on loopback, with a proxy before every raft port so that links can be cut, and
 * one stand-in for all their nodes. Disposable: `await using cluster = await HistoryCluster.form(…)`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuttableLink } from '../../tests/cluster/cuttable-link.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { SmallDisk } from '../../tests/cluster/small-disk.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { rollupConfig } from '../rpc/rollup-config.ts';
import { StubNode } from '../rpc/stub-node.ts';
import { Server } from './server.ts';

const FORM_MS_MAX = 60_000;
const CALL_MS_MAX = 6_000;

export interface HistoryClusterOptions {
  readonly count: 3 | 5;
  /** Removed at the end. */
  readonly directory: string;
  /** Index of the server whose log is on a disk of its own that can be filled, or null. */
  readonly smallDiskAt: number | null;
}

export class HistoryCluster implements AsyncDisposable {
  readonly servers: readonly Server[];
  readonly stub = new StubNode();
  /** That of `smallDiskAt`, or why there is none. */
  readonly disk: SmallDisk | string;
  readonly #directory: string;
  readonly #links: CuttableLink[] = [];
  readonly #cuts = new Set<string>();

  private constructor({ count, directory, smallDiskAt }: HistoryClusterOptions) {
    mkdirSync(directory, { recursive: true });
    const rollupPath = join(directory, 'rollup.json');
    writeFileSync(rollupPath, JSON.stringify(rollupConfig));
    this.#directory = directory;
    this.servers = Array.from({ length: count }, (_, at) => {
      const id = `s${at + 1}`;
      return new Server({ id, directory, rollupConfig: rollupPath, nodeUrl: this.stub.urlOf(id, at === 0) });
    });
    this.disk = 'not asked for';
    if (smallDiskAt === null) return;
    const small = this.servers[smallDiskAt] as Server;
    this.disk = SmallDisk.mount(small.storageDir);
  }

  /** Started, joined and with a leader. */
  static async form(options: HistoryClusterOptions): Promise<HistoryCluster> {
    const cluster = new HistoryCluster(options);
    try {
      await cluster.#form();
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Who says that it leads, or null. */
  async leader(): Promise<Server | null> {
    const asked = this.servers.map(async (server) => {
      const answer = server.process.isRunning ? await server.call('conductor_leader', [], CALL_MS_MAX) : null;
      return answer?.kind === 'result' && answer.result === true ? server : null;
    });
    return (await Promise.all(asked)).find((server) => server !== null) ?? null;
  }

  /** Starts the server with the small disk again where that had ended because nothing fitted any more. */
  async superviseDisk(): Promise<void> {
    const { disk } = this;
    const small = this.servers.find(({ storageDir }) => disk instanceof SmallDisk && storageDir === disk.path);
    if (small === undefined || !small.process.hasEnded) return;
    await small.process.ended();
    small.start('again');
  }

  /** Holds back what one server says to another, without closing anything. */
  cut(from: Server, to: Server): void {
    this.#cuts.add(`${from.id} ${to.id}`);
    for (const link of this.#links) link.review();
  }

  mend(from: Server, to: Server): void {
    this.#cuts.delete(`${from.id} ${to.id}`);
    for (const link of this.#links) link.review();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map(({ process: child }) => child.kill()));
    for (const link of this.#links) link[Symbol.dispose]();
    this.stub.stop();
    if (this.disk instanceof SmallDisk) this.disk[Symbol.dispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #form(): Promise<void> {
    for (const server of this.servers) await this.#link(server);
    const [first, ...others] = this.servers as [Server, ...Server[]];
    first.start('bootstrap');
    for (const server of others) server.start('join');
    await waitFor('a leader', FORM_MS_MAX, async () => {
      first.process.requireAlive();
      return this.leader();
    });
    for (const server of others) {
      await waitFor(`${server.id} to join`, FORM_MS_MAX, async () => {
        server.process.requireAlive();
        // On a busy machine somebody else may lead by now.
        const leader = (await this.leader()) ?? first;
        const answer = await leader.call('conductor_addServerAsVoter', [server.id, server.advertised, 0], CALL_MS_MAX);
        if (answer.kind === 'result') return true;
        throw new Error(answer.kind === 'error' ? answer.message : answer.kind);
      });
    }
  }

  async #link(server: Server): Promise<void> {
    const [port] = freePorts(1) as [number];
    const link = new CuttableLink({
      ...{ port, targetPort: server.raftPort, to: server.id, senders: this.servers.map(({ id }) => id) },
      isCut: (from, to) => this.#cuts.has(`${from} ${to}`),
    });
    await link.listen();
    server.advertised = `127.0.0.1:${port}`;
    this.#links.push(link);
  }
}
