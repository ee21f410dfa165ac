/**
 * One conductor with its development sequencer, as two processes on loopback. The conductor is ours
 * or the op-conductor that OP_CONDUCTOR_BIN names; both take the same flags.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callRpc } from '#conductor/dev-sequencer/json-rpc-client';
import { ChildProcess } from './child-process.ts';
import { conductorCommand } from './conductor-command.ts';
import { freePorts } from './free-ports.ts';
import type { Implementation } from './node-process.ts';
import { SequencerRecord, type Block } from './publications.ts';

const HOST = '127.0.0.1';
const CALL_MS_MAX = 2000;

/** Settings of all nodes of a cluster. */
export interface ServiceSettings {
  /** Whole seconds. */
  readonly healthIntervalSeconds: number;
  /** Seconds without a new block after which a sequencer is unhealthy. */
  readonly unsafeIntervalSeconds: number;
  /** Blocks in a second; 1 unless it is given. */
  readonly blocksPerSecond?: number;
  /** Further flags of a conductor. */
  readonly conductorFlags?: (id: string) => readonly string[];
}

/** What all nodes of a cluster share. */
export interface ServiceShared {
  readonly directory: string;
  readonly settings: ServiceSettings;
  /** Unix seconds of block 0. */
  readonly genesisTime: number;
  readonly rollupConfig: string;
}

export class ServiceNode {
  readonly id: string;
  /** What its next start runs. */
  implementation: Implementation;
  /** Another build of ours, which its next start runs; null for that of the tests. */
  binary: string | null = null;
  readonly conductor: ChildProcess;
  readonly sequencer: ChildProcess;
  readonly record: SequencerRecord;
  readonly raftPort: number;
  /** "host:port" as the members know it; set to a proxy's before the first start to put one in between. */
  advertised: string;
  /** Where the conductor keeps its log; set before the first start. */
  storageDir: string;
  readonly #shared: ServiceShared;
  readonly #ports: {
    readonly rpc: number;
    readonly node: number;
    readonly execution: number;
    readonly websocket: number;
  };

  constructor(id: string, implementation: Implementation, shared: ServiceShared) {
    const [raft, rpc, node, execution, websocket] = freePorts(5) as [number, number, number, number, number];
    const folder = join(shared.directory, id);
    mkdirSync(folder, { recursive: true });
    this.id = id;
    this.implementation = implementation;
    this.#shared = shared;
    this.raftPort = raft;
    this.advertised = `${HOST}:${raft}`;
    this.storageDir = join(folder, 'raft');
    this.#ports = { rpc, node, execution, websocket };
    this.conductor = new ChildProcess(`${id} conductor`, join(folder, 'conductor.log'));
    this.sequencer = new ChildProcess(`${id} sequencer`, join(folder, 'sequencer.log'));
    this.record = new SequencerRecord(id, join(folder, 'blocks', 'blocks.db'), this.sequencer.logPath);
  }

  /** Where flashblocks are passed on, when `conductorFlags` name a source. */
  get websocketUrl(): string {
    return `ws://${HOST}:${this.#ports.websocket}/ws`;
  }

  get nodeUrl(): string {
    return `http://${HOST}:${this.#ports.node}`;
  }

  /** "host:port" of the conductor's JSON-RPC, of the sequencer's op-node and of its execution client. */
  get addresses(): { readonly rpc: string; readonly node: string; readonly execution: string } {
    const { rpc, node, execution } = this.#ports;
    return { rpc: `${HOST}:${rpc}`, node: `${HOST}:${node}`, execution: `${HOST}:${execution}` };
  }

  startSequencer(peers: readonly string[]): void {
    const { directory, genesisTime, settings } = this.#shared;
    this.sequencer.start([
      ...conductorCommand(),
      'dev-sequencer',
      `--data-dir=${join(directory, this.id, 'blocks')}`,
      `--node-port=${this.#ports.node}`,
      `--execution-port=${this.#ports.execution}`,
      `--conductor-rpc=http://${HOST}:${this.#ports.rpc}`,
      `--peers=${peers.join(',')}`,
      `--genesis-time=${genesisTime}`,
      `--blocks-per-slot=${settings.blocksPerSecond ?? 1}`,
    ]);
  }

  startConductor(first: 'bootstrap' | 'join' | 'again'): void {
    const { settings, rollupConfig } = this.#shared;
    mkdirSync(this.storageDir, { recursive: true });
    const ours = this.binary === null ? conductorCommand() : [this.binary];
    this.conductor.start([
      ...(this.implementation === 'bun' ? ours : [process.env['OP_CONDUCTOR_BIN'] ?? '']),
      `--consensus.addr=${HOST}`,
      `--consensus.port=${this.raftPort}`,
      `--consensus.advertised=${this.advertised}`,
      `--raft.server.id=${this.id}`,
      `--raft.storage.dir=${this.storageDir}`,
      `--node.rpc=${this.nodeUrl}`,
      `--execution.rpc=http://${HOST}:${this.#ports.execution}`,
      `--rollup.config=${rollupConfig}`,
      `--healthcheck.interval=${settings.healthIntervalSeconds}`,
      `--healthcheck.unsafe-interval=${settings.unsafeIntervalSeconds}`,
      '--healthcheck.min-peer-count=1',
      `--rpc.addr=${HOST}`,
      `--rpc.port=${this.#ports.rpc}`,
      `--websocket.server-port=${this.#ports.websocket}`,
      ...(settings.conductorFlags?.(this.id) ?? []),
      '--rpc.enable-admin',
      '--log.format=logfmtms',
      ...(first === 'again' ? [] : ['--paused']),
      ...(first === 'bootstrap' ? ['--raft.bootstrap'] : []),
    ]);
  }

  callConductor(method: string, params: readonly unknown[] = [], timeoutMs = CALL_MS_MAX): Promise<unknown> {
    return callRpc({ url: `http://${HOST}:${this.#ports.rpc}`, timeoutMs }, method, params);
  }

  callSequencer(method: string, params: readonly unknown[] = [], timeoutMs = CALL_MS_MAX): Promise<unknown> {
    return callRpc({ url: this.nodeUrl, timeoutMs }, method, params);
  }

  async head(): Promise<Block> {
    const { unsafe_l2 } = (await this.callSequencer('optimism_syncStatus')) as { unsafe_l2: Block };
    return { number: unsafe_l2.number, hash: unsafe_l2.hash };
  }

  /** Why it could not take over, or '' when it could; throws a HopelessError when its conductor has ended. An op-conductor is asked for its health and its leader only. */
  async trouble(): Promise<string> {
    this.conductor.requireAlive();
    if ((await this.callConductor('conductor_sequencerHealthy')) !== true) return `${this.id} is not healthy`;
    const { id } = (await this.callConductor('conductor_leaderWithID')) as { id: string };
    if (id === '') return `${this.id} knows no leader`;
    if (this.implementation === 'go') return '';
    const answer = await fetch(`http://${HOST}:${this.#ports.rpc}/readyz`, {
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    return answer.ok ? '' : `${this.id} is not ready: ${await answer.text()}`;
  }

  async kill(): Promise<void> {
    await Promise.all([this.conductor.kill(), this.sequencer.kill()]);
  }
}
