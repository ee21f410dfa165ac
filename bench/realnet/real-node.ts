/** One sequencer of the real net: op-geth, op-node and a conductor, each a process with its flags. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcess } from '../../tests/cluster/child-process.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { EngineProxy } from './engine-proxy.ts';
import { L1Proxy } from './l1-proxy.ts';
import { L2_CHAIN_ID } from './genesis.ts';
import { callRpc } from './json-rpc.ts';
import { L1_SLOT_SECONDS } from './l1-driver.ts';
import { SEQUENCER_KEY } from './net-constants.ts';

const HOST = '127.0.0.1';

/** Paths of programs and files that all nodes share. */
export interface NetFiles {
  readonly directory: string;
  readonly geth: string;
  readonly opNode: string;
  /** Words that start a conductor; the flags that both sides know follow. */
  readonly conductor: readonly string[] | ((node: RealNode) => readonly string[]);
  /** Flags of op-geth in the place of those that all have. */
  readonly gethFlags: readonly string[];
  readonly hasEngineProxies: boolean;
  readonly hasL1Proxies: boolean;
  readonly l1Url: string;
  readonly jwt: string;
  readonly l1Genesis: string;
  readonly l2Genesis: string;
  readonly rollup: string;
}

export interface ConductorPorts {
  readonly raft: number;
  readonly rpc: number;
  readonly websocket: number;
}

export interface UnsafeHead {
  readonly number: number;
  readonly hash: string;
  readonly timestamp: number;
  readonly l1origin: { readonly hash: string };
}

export class RealNode {
  /** From 0. */
  readonly at: number;
  readonly id: string;
  readonly geth: ChildProcess;
  readonly opNode: ChildProcess;
  readonly conductor: ChildProcess;
  /** Null unless the net has them. */
  readonly proxy: EngineProxy | null;
  /** The same between op-node and L1. */
  readonly l1Proxy: L1Proxy | null;
  /** Hex of its key on op-node's peer-to-peer network. */
  readonly peerKey: string;
  readonly #files: NetFiles;
  readonly #folder: string;
  #opNodeWords: readonly string[] = [];
  readonly #ports: Readonly<
    Record<'execution' | 'engine' | 'proxy' | 'geth' | 'node' | 'peer' | 'rpc' | 'raft' | 'websocket', number>
  >;

  readonly #isSequencer: boolean;

  constructor(at: number, files: NetFiles, role: 'sequencer' | 'verifier' = 'sequencer') {
    const [execution, engine, proxy, geth, node, peer, rpc, raft, websocket] = freePorts(9) as [
      ...[number, number, number, number, number],
      ...[number, number, number, number],
    ];
    this.at = at;
    this.id = `${role}-${at}`;
    this.#isSequencer = role === 'sequencer';
    this.peerKey = String(at + 1).repeat(64);
    this.#files = files;
    this.#folder = join(files.directory, this.id);
    this.#ports = { execution, engine, proxy, geth, node, peer, rpc, raft, websocket };
    mkdirSync(join(this.#folder, 'raft'), { recursive: true });
    this.proxy = files.hasEngineProxies ? new EngineProxy(proxy, `http://${HOST}:${engine}`) : null;
    this.l1Proxy = files.hasL1Proxies ? new L1Proxy(files.l1Url) : null;
    this.geth = new ChildProcess(`${this.id} op-geth`, join(this.#folder, 'geth.log'));
    this.opNode = new ChildProcess(`${this.id} op-node`, join(this.#folder, 'op-node.log'));
    this.conductor = new ChildProcess(`${this.id} conductor`, join(this.#folder, 'conductor.log'));
  }

  get gethDirectory(): string {
    return join(this.#folder, 'geth');
  }

  get executionUrl(): string {
    return `http://${HOST}:${this.#ports.execution}`;
  }

  /** The engine API as op-node and conductor are to use it. */
  get engineUrl(): string {
    return `http://${HOST}:${this.proxy === null ? this.#ports.engine : this.#ports.proxy}`;
  }

  /** The file with the secret of its engine API. */
  get jwtSecretFile(): string {
    return this.#files.jwt;
  }

  get l1Url(): string {
    return this.#files.l1Url;
  }

  get nodeUrl(): string {
    return `http://${HOST}:${this.#ports.node}`;
  }

  get conductorUrl(): string {
    return `http://${HOST}:${this.#ports.rpc}`;
  }

  get raftAddress(): string {
    return `${HOST}:${this.#ports.raft}`;
  }

  /** Its address for the others' op-nodes, once its peer id is known. */
  multiaddress(peerId: string): string {
    return `/ip4/${HOST}/tcp/${this.#ports.peer}/p2p/${peerId}`;
  }

  startGeth(): void {
    const { execution, engine, geth } = this.#ports;
    this.geth.start([
      ...[this.#files.geth, `--datadir=${this.gethDirectory}`, `--networkid=${L2_CHAIN_ID}`],
      ...['--syncmode=full', '--gcmode=archive', '--nodiscover', '--maxpeers=10', `--port=${geth}`],
      ...[`--nat=extip:${HOST}`, '--ipcdisable', '--rollup.disabletxpoolgossip=true'],
      ...[
        '--http',
        `--http.addr=${HOST}`,
        `--http.port=${execution}`,
        '--http.api=web3,debug,eth,txpool,net,miner,admin',
      ],
      ...[
        `--authrpc.addr=${HOST}`,
        `--authrpc.port=${engine}`,
        '--authrpc.vhosts=*',
        `--authrpc.jwtsecret=${this.#files.jwt}`,
      ],
      ...this.#files.gethFlags,
    ]);
  }

  startOpNode(beaconUrl: string, peers: readonly string[]): void {
    const { l1Genesis, rollup, jwt, opNode } = this.#files;
    const { node, peer } = this.#ports;
    this.#opNodeWords = [
      ...[
        opNode,
        `--l1=${this.l1Proxy?.url ?? this.l1Url}`,
        '--l1.rpckind=basic',
        `--l1.http-poll-interval=${L1_SLOT_SECONDS}s`,
      ],
      ...['--l1.epoch-poll-interval=10s', `--l1.beacon=${beaconUrl}`, '--l1.beacon.ignore'],
      ...[`--rollup.l1-chain-config=${l1Genesis}`, `--rollup.config=${rollup}`],
      ...[`--l2=${this.engineUrl}`, `--l2.jwt-secret=${jwt}`, '--l2.enginekind=geth', '--syncmode=consensus-layer'],
      '--verifier.l1-confs=0',
      ...[`--rpc.addr=${HOST}`, `--rpc.port=${node}`, '--rpc.enable-admin'],
      ...[`--p2p.listen.ip=${HOST}`, `--p2p.listen.tcp=${peer}`, '--p2p.listen.udp=0', '--p2p.no-discovery'],
      // An empty record instead of the public bootnodes, whose names would be looked up.
      ...['--p2p.bootnodes=,', `--p2p.priv.raw=${this.peerKey}`, `--p2p.static=${peers.join(',')}`],
      ...[`--p2p.sequencer.key=${SEQUENCER_KEY}`, '--p2p.peerstore.path=memory', '--p2p.discovery.path=memory'],
      ...['--p2p.ban.peers=false', `--safedb.path=${join(this.#folder, 'safedb')}`, '--metrics.enabled=false'],
      ...(this.#isSequencer ? ['--sequencer.enabled', '--sequencer.l1-confs=0'] : []),
      ...(this.#isSequencer ? ['--conductor.enabled', `--conductor.rpc=${this.conductorUrl}`] : []),
      ...(this.#isSequencer ? ['--conductor.rpc-timeout=1s'] : []),
    ];
    this.opNode.start(this.#opNodeWords);
  }

  /** As an operator does it: SIGTERM, unless it is gone, and the same command again. What it was told over RPC is forgotten. */
  async restartOpNode(): Promise<void> {
    await this.opNode.end('SIGTERM');
    this.opNode.start(this.#opNodeWords);
  }

  startConductor(first: 'bootstrap' | 'join' | 'again'): void {
    this.startConductorWith([
      ...[`--raft.server.id=${this.id}`, `--raft.storage.dir=${join(this.#folder, 'raft')}`],
      ...['--healthcheck.interval=1', '--healthcheck.unsafe-interval=5', '--healthcheck.min-peer-count=1'],
      '--rpc.enable-proxy=true',
      ...(first === 'again' ? [] : ['--paused=true']),
      ...(first === 'bootstrap' ? ['--raft.bootstrap=true'] : []),
    ]);
  }

  /** At its own ports, with flags of the caller beside those that say where everything is. */
  startConductorWith(flags: readonly string[]): void {
    this.conductor.start(this.conductorWords(this.#ports, flags));
  }

  /** Starts a conductor beside this node's op-node and op-geth. */
  conductorWords({ raft, rpc, websocket }: ConductorPorts, flags: readonly string[]): string[] {
    const { conductor, rollup } = this.#files;
    return [
      ...(typeof conductor === 'function' ? conductor(this) : conductor),
      ...[`--consensus.addr=${HOST}`, `--consensus.port=${raft}`, `--consensus.advertised=${HOST}:${raft}`],
      ...[`--node.rpc=${this.nodeUrl}`, `--execution.rpc=${this.executionUrl}`, `--rollup.config=${rollup}`],
      ...[`--rpc.addr=${HOST}`, `--rpc.port=${rpc}`, '--rpc.enable-admin=true', `--websocket.server-port=${websocket}`],
      ...flags,
    ];
  }

  callConductor(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return callRpc(this.conductorUrl, method, params);
  }

  callNode(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return callRpc(this.nodeUrl, method, params);
  }

  callGeth(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return callRpc(this.executionUrl, method, params);
  }

  /** Number of the latest block of its op-geth. */
  async head(): Promise<number> {
    return Number(await this.callGeth('eth_blockNumber'));
  }

  /** Its op-node's unsafe head. */
  async unsafeHead(): Promise<UnsafeHead> {
    const status = (await this.callNode('optimism_syncStatus')) as { readonly unsafe_l2: UnsafeHead };
    return status.unsafe_l2;
  }

  async kill(): Promise<void> {
    await Promise.all([this.conductor.kill(), this.opNode.kill(), this.geth.kill()]);
    await this.proxy?.[Symbol.asyncDispose]();
    await this.l1Proxy?.[Symbol.asyncDispose]();
  }
}
