/**
 * A real rollup net in a temporary directory: an L1, op-geths, op-nodes that sequence, and their conductors, three of
 * each. Formed by the documented procedure; disposable: `await using net = await RealNet.start(…)`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ChildProcess } from '../../tests/cluster/child-process.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { benchDirectory } from '../directories.ts';
import { formConductors } from './form-conductors.ts';
import { GAS_LIMIT, l1Genesis, L1_CHAIN_ID, l2Genesis, rollupConfig, type Genesis } from './genesis.ts';
import { callRpc } from './json-rpc.ts';
import { L1Driver, type L1DriverOptions } from './l1-driver.ts';
import { OtherL1 } from './other-l1.ts';
import { RealNode, type NetFiles } from './real-node.ts';

export interface RealNetOptions {
  readonly geth: string;
  readonly opNode: string;
  /** Words that start a conductor, of all or of each. */
  readonly conductor: NetFiles['conductor'];
  /** Further flags of the L2's op-geths, which count more than their usual ones; none by default. */
  readonly gethFlags?: readonly string[];
  /** Puts a proxy before each engine API; false by default. */
  readonly hasEngineProxies?: boolean;
  /** Puts a proxy before L1 for each op-node, which is slower by that; false by default. */
  readonly hasL1Proxies?: boolean;
  /** Gives the last sequencer an L1 client of its own, which can be parted from the others'; false by default. */
  readonly hasOtherL1?: boolean;
  /** Those that sequence, 1..9; 3 by default. */
  readonly sequencers?: number;
  /** Op-nodes with op-geths that only follow; none by default. */
  readonly verifiers?: number;
  /** Of an L2 block; 30 million by default. */
  readonly gasLimit?: number;
  /** False leaves conductors to the caller: op-nodes run, no sequencer does; true by default. */
  readonly hasConductors?: boolean;
  /** Where its temporary directory is made. */
  readonly parent: string;
}

const SEQUENCERS = 3;
/** Logs of the last net that did not form are kept here, under .cache/bench. */
const UNFORMED = 'unformed-net';
const HOST = '127.0.0.1';
const WAIT_MS_MAX = 90_000;
const GENESIS_BYTES_MAX = 64 * 1024 * 1024;
/** Blocks by which the nodes' heads may differ: one is on its way. */
const HEAD_SPREAD_MAX = 1;

export class RealNet implements AsyncDisposable {
  /** Those that sequence. */
  readonly nodes: readonly RealNode[];
  readonly verifiers: readonly RealNode[];
  readonly #files: NetFiles;
  readonly #l1: ChildProcess;
  readonly #gasLimit: number;
  /** Ports of the second L1 client and its engine API; null unless there is one. */
  readonly #otherPorts: readonly [number, number] | null;
  #otherL1: OtherL1 | null = null;
  #driver: L1Driver | null = null;

  private constructor(options: RealNetOptions) {
    const { geth, opNode, conductor, parent, gethFlags = [] } = options;
    const { hasEngineProxies = false, hasL1Proxies = false } = options;
    const { sequencers = SEQUENCERS, verifiers = 0 } = options;
    const directory = mkdtempSync(join(parent, 'realnet-'));
    const path = (name: string): string => join(directory, name);
    this.#files = {
      ...{ directory, geth, opNode, conductor, gethFlags, hasEngineProxies, hasL1Proxies, jwt: path('jwt.txt') },
      l1Url: `http://${HOST}:${freePorts(1)[0]}`,
      ...{ l1Genesis: path('l1-genesis.json'), l2Genesis: path('l2-genesis.json'), rollup: path('rollup.json') },
    };
    this.#gasLimit = options.gasLimit ?? GAS_LIMIT;
    this.#otherPorts = options.hasOtherL1 === true ? (freePorts(2) as [number, number]) : null;
    const otherUrl = this.#otherPorts === null ? this.#files.l1Url : `http://${HOST}:${this.#otherPorts[0]}`;
    this.nodes = Array.from(
      { length: sequencers },
      (_, at) => new RealNode(at, at === sequencers - 1 ? { ...this.#files, l1Url: otherUrl } : this.#files),
    );
    this.verifiers = Array.from(
      { length: verifiers },
      (_, at) => new RealNode(sequencers + at, this.#files, 'verifier'),
    );
    this.#l1 = new ChildProcess('L1 geth', path('l1.log'));
    // Whoever stops the benchmark stops these, too: they look after nobody's life but their own.
    process.once('exit', () => this.#killNow());
  }

  static async start(options: RealNetOptions): Promise<RealNet> {
    const net = new RealNet(options);
    try {
      await net.#form();
      if (options.hasConductors ?? true) {
        await formConductors(net.nodes, (what, probe) => net.#eventually(what, probe));
        await net.steady();
      }
      return net;
    } catch (error) {
      const logs = join(benchDirectory(), UNFORMED);
      net.keepLogs(logs);
      await net[Symbol.asyncDispose]();
      throw new Error(`${error instanceof Error ? error.message : String(error)}; logs in ${relative('.', logs)}`, {
        cause: error,
      });
    }
  }

  /** Throws before the net is formed. */
  get l1(): L1Driver {
    if (this.#driver === null) throw new Error('the L1 is not driven yet');
    return this.#driver;
  }

  /** The L1 client of the last sequencer alone; throws where it has none. */
  get otherL1(): OtherL1 {
    if (this.#otherL1 === null) throw new Error('this net has one L1 client');
    return this.#otherL1;
  }

  get rollupFile(): string {
    return this.#files.rollup;
  }

  get #all(): readonly RealNode[] {
    return [...this.nodes, ...this.verifiers];
  }

  others(node: RealNode): RealNode[] {
    return this.nodes.filter((other) => other !== node);
  }

  /** The L1 client of all answers nobody for a while. */
  async silenceL1(forMs: number): Promise<void> {
    this.#l1.freeze();
    await pause(forMs);
    this.#l1.thaw();
  }

  /** Waits until one leads, only it sequences, all are healthy, and blocks reach everyone; returns the leader. */
  steady(timeoutMs = WAIT_MS_MAX): Promise<RealNode> {
    return waitFor('a steady net', timeoutMs, async () => {
      for (const node of this.nodes) for (const child of [node.conductor, node.opNode, node.geth]) child.requireAlive();
      const states = await Promise.all(
        this.nodes.map(async (node) => ({
          node,
          isLeader: (await node.callConductor('conductor_leader')) === true,
          isHealthy: (await node.callConductor('conductor_sequencerHealthy')) === true,
          isSequencing: (await node.callNode('admin_sequencerActive')) === true,
          head: await node.head(),
        })),
      );
      const leaders = states.filter(({ isLeader }) => isLeader);
      const heads = states.map(({ head }) => head);
      const isSteady =
        leaders.length === 1 &&
        states.every(({ isLeader, isHealthy, isSequencing }) => isHealthy && isSequencing === isLeader) &&
        Math.max(...heads) - Math.min(...heads) <= HEAD_SPREAD_MAX;
      return isSteady ? (leaders[0]?.node ?? null) : null;
    });
  }

  /** Copies what the programs have said so far into a folder. */
  keepLogs(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const { id, geth, opNode, conductor } of this.#all) {
      for (const { logPath } of [geth, opNode, conductor])
        if (existsSync(logPath)) copyFileSync(logPath, join(folder, `${id}-${basename(logPath)}`));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver?.stop();
    await this.#otherL1?.[Symbol.asyncDispose]();
    await Promise.all([...this.#all.map((node) => node.kill()), this.#l1.kill()]);
    rmSync(this.#files.directory, { recursive: true, force: true });
  }

  async #form(): Promise<void> {
    const secret = randomBytes(32).toString('hex');
    const genesisTime = Math.floor(Date.now() / 1000);
    writeFileSync(this.#files.jwt, secret);
    this.#makeGenesis(genesisTime);
    const { l1Url } = this.#files;
    const [enginePort] = freePorts(1) as [number];
    this.#startL1(this.#l1, 'l1', [Number(new URL(l1Url).port), enginePort]);
    for (const node of this.#all) node.startGeth();
    const l1Hash = await this.#hashOfGenesis(l1Url);
    const l2Hash = await this.#hashOfGenesis((this.nodes[0] as RealNode).executionUrl);
    const start = { l1Hash, l2Hash, unixSeconds: genesisTime, gasLimit: this.#gasLimit };
    writeFileSync(this.#files.rollup, JSON.stringify(rollupConfig(start)));
    const engineUrl = `http://${HOST}:${enginePort}`;
    const settings = { genesisHash: l1Hash, genesisTime, jwtSecret: secret };
    const other = this.#otherPorts === null ? null : await this.#startOtherL1(this.#otherPorts, settings);
    this.#driver = new L1Driver({ engineUrl, ...settings, onHead: (block) => other?.follow(block) });
    await this.joinGeths();
    const addresses = this.#all.map((node) => node.multiaddress(this.#peerId(node.peerKey)));
    for (const [at, node] of this.#all.entries()) {
      node.startOpNode(this.#driver.beaconUrl, addresses.toSpliced(at, 1));
    }
    await this.#eachAnswers('op-node', (node) => node.unsafeHead());
  }

  #makeGenesis(unixSeconds: number): void {
    const { geth, directory } = this.#files;
    const printed = execFileSync(geth, ['--dev', 'dumpgenesis'], {
      encoding: 'utf8',
      maxBuffer: GENESIS_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const l1 = l1Genesis(JSON.parse(printed) as Genesis, unixSeconds);
    writeFileSync(this.#files.l1Genesis, JSON.stringify(l1));
    writeFileSync(this.#files.l2Genesis, JSON.stringify(l2Genesis(l1, unixSeconds, this.#gasLimit)));
    const init = (datadir: string, genesis: string, flags: readonly string[]): void => {
      mkdirSync(datadir, { recursive: true });
      const words = ['init', ...flags, `--datadir=${datadir}`, genesis];
      execFileSync(geth, words, { stdio: ['ignore', 'ignore', 'ignore'] });
    };
    init(join(directory, 'l1'), this.#files.l1Genesis, []);
    if (this.#otherPorts !== null) init(join(directory, 'other-l1'), this.#files.l1Genesis, []);
    // The scheme is settled where the database is made.
    const scheme = this.#files.gethFlags.filter((flag) => flag.startsWith('--state.scheme='));
    for (const node of this.#all) init(node.gethDirectory, this.#files.l2Genesis, scheme);
  }

  async #startOtherL1(
    ports: readonly [number, number],
    settings: Omit<L1DriverOptions, 'engineUrl'>,
  ): Promise<OtherL1> {
    const child = new ChildProcess('other L1 geth', join(this.#files.directory, 'other-l1.log'));
    this.#startL1(child, 'other-l1', ports);
    const url = `http://${HOST}:${ports[0]}`;
    this.#otherL1 = new OtherL1(child, url, { ...settings, engineUrl: `http://${HOST}:${ports[1]}` });
    await this.#hashOfGenesis(url);
    return this.#otherL1;
  }

  #startL1(child: ChildProcess, folder: string, [port, enginePort]: readonly [number, number]): void {
    const { geth, directory, jwt } = this.#files;
    child.start([
      ...[geth, `--datadir=${join(directory, folder)}`, `--networkid=${L1_CHAIN_ID}`, '--syncmode=full'],
      ...['--gcmode=archive', '--nodiscover', '--maxpeers=0', '--port=0', '--ipcdisable', '--nat=none'],
      ...[`--authrpc.addr=${HOST}`, `--authrpc.port=${enginePort}`, `--authrpc.jwtsecret=${jwt}`],
      ...['--http', `--http.addr=${HOST}`, `--http.port=${port}`, '--http.api=web3,debug,eth,txpool,net'],
    ]);
  }

  async #hashOfGenesis(url: string): Promise<string> {
    const block = await waitFor(`an answer at ${url}`, WAIT_MS_MAX, async () => {
      this.#l1.requireAlive();
      return (await callRpc(url, 'eth_getBlockByNumber', ['0x0', false])) as { hash: string } | null;
    });
    return block.hash;
  }

  /** Blocks that a node missed reach it by op-geth's own peers, which one that was started again must be told of. */
  async joinGeths(): Promise<void> {
    await this.#eachAnswers('op-geth', (node) => node.head());
    for (const node of this.#all) {
      const { enode } = (await node.callGeth('admin_nodeInfo')) as { enode: string };
      for (const other of this.#all) if (other !== node) await other.callGeth('admin_addPeer', [enode]);
    }
  }

  #peerId(key: string): string {
    return execFileSync(this.#files.opNode, ['p2p', 'priv2id'], { input: key, encoding: 'utf8' }).trim();
  }

  async #eachAnswers(what: string, call: (node: RealNode) => Promise<unknown>): Promise<void> {
    for (const node of this.#all) {
      await this.#eventually(`the ${what} of ${node.id} to answer`, async () => (await call(node)) !== undefined);
    }
  }

  #eventually(what: string, probe: () => Promise<boolean>): Promise<true> {
    return waitFor(what, WAIT_MS_MAX, async () => {
      for (const { geth, opNode, conductor } of this.#all) {
        for (const child of [geth, opNode, conductor]) if (!child.isDown) child.requireAlive();
      }
      return (await probe()) ? true : null;
    });
  }

  #killNow(): void {
    const otherL1 = this.#otherL1 === null ? [] : [this.#otherL1.child];
    for (const child of [
      this.#l1,
      ...otherL1,
      ...this.#all.flatMap(({ geth, opNode, conductor }) => [geth, opNode, conductor]),
    ]) {
      if (child.isRunning) process.kill(child.pid, 'SIGKILL');
    }
  }
}
