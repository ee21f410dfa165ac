/**
 * Three conductors as processes, op-conductor's or ours, started with the same flags beside one stand-in for
 * their nodes: a bootstrapped leader and two voters that joined over JSON-RPC. Only flags that both know are used.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { processorMs } from '../processor-time.ts';
import { rollupConfig } from './rollup-config.ts';
import { StubNode } from './stub-node.ts';

const repository = join(import.meta.dirname, '../..');
const ourMain = join(repository, 'conductor/cli/main.ts');
const ROLLUP_FILE = 'rollup.json';
const CALL_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;
const LOG_TAIL_BYTES = 2000;

/** The program of a side, or a sentence that says why there is none. */
export function conductorCommand(side: Implementation): { readonly command: string[] } | { readonly missing: string } {
  const variable = side === 'go' ? 'OP_CONDUCTOR_BIN' : 'CONDUCTOR_BIN';
  const given = process.env[variable] ?? '';
  if (given !== '') {
    return existsSync(given) ? { command: [given] } : { missing: `${variable} names ${given}, which is not there` };
  }
  if (side === 'bun') return { command: [process.execPath, ourMain] };
  return { missing: 'OP_CONDUCTOR_BIN names no op-conductor binary' };
}

/** What all conductors of a cluster are started with. */
interface Shared {
  readonly command: readonly string[];
  readonly directory: string;
  readonly stub: StubNode;
  /** Further flags by the conductor's name. */
  readonly flagsOf: (id: string) => readonly string[];
}

/** One conductor's process. */
export class ConductorProcess {
  readonly id: string;
  readonly rpcPort: number;
  readonly raftPort: number;
  readonly metricsPort: number;
  readonly websocketPort: number;
  readonly #shared: Shared;
  readonly #logPath: string;
  readonly #flags: readonly string[];
  #child: Subprocess;

  constructor(shared: Shared, id: string, isFirst: boolean) {
    const ports = freePorts(4) as [number, number, number, number];
    [this.rpcPort, this.raftPort, this.metricsPort, this.websocketPort] = ports;
    const { directory, stub } = shared;
    const nodeUrl = stub.urlOf(id, isFirst);
    this.id = id;
    this.#shared = shared;
    this.#logPath = join(directory, `${id}.log`);
    this.#flags = [
      '--consensus.addr=127.0.0.1',
      `--consensus.port=${this.raftPort}`,
      `--raft.server.id=${id}`,
      `--raft.storage.dir=${directory}`,
      `--node.rpc=${nodeUrl}`,
      `--execution.rpc=${nodeUrl}`,
      `--rollup.config=${join(directory, ROLLUP_FILE)}`,
      '--healthcheck.interval=1',
      '--healthcheck.unsafe-interval=100000',
      '--healthcheck.min-peer-count=1',
      '--rpc.addr=127.0.0.1',
      `--rpc.port=${this.rpcPort}`,
      `--websocket.server-port=${this.websocketPort}`,
      '--rpc.enable-admin=true',
      '--metrics.enabled=true',
      '--metrics.addr=127.0.0.1',
      `--metrics.port=${this.metricsPort}`,
      '--log.level=error',
      ...shared.flagsOf(id),
    ];
    this.#child = this.#spawn([`--raft.bootstrap=${isFirst}`]);
  }

  /** Starts it again on what it stored; it must have been killed. */
  restart(): void {
    this.#child = this.#spawn([]);
  }

  #spawn(further: readonly string[]): Subprocess {
    const { command, directory } = this.#shared;
    const log = openSync(this.#logPath, 'a');
    // Named for the benchmarks; to a conductor it is an unknown variable with the prefix of its flags.
    const { OP_CONDUCTOR_BIN: _, ...given } = process.env;
    // As the container and the systemd unit start it; nothing to op-conductor.
    const env = { ...given, BUN_JSC_useFTLJIT: '0' };
    const child = Bun.spawn([...command, ...this.#flags, ...further], {
      cwd: directory,
      env,
      stdin: 'ignore',
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    return child;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  /** Result of a JSON-RPC call; throws the error's message. */
  async call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.rpcPort}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${this.id} ${method}: ${answer.error.message}`);
    return answer.result;
  }

  /** Processor time used so far by all threads, in milliseconds, in steps of 10. */
  cpuMs(): number {
    return processorMs(this.#child.pid);
  }

  /** Resident memory in megabytes (10^6 bytes). */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
  }

  logTail(): string {
    return readFileSync(this.#logPath, 'utf8').slice(-LOG_TAIL_BYTES);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }
}

/** What a cluster is made of. */
export interface ConductorsOptions {
  readonly side: Implementation;
  readonly count: number;
  /** Where its temporary directory is made. */
  readonly parent: string;
  /** Further flags by the conductor's name, which both sides know. */
  readonly flagsOf?: (id: string) => readonly string[];
}

/** A formed cluster; dispose of it with `await using`. */
export class Conductors implements AsyncDisposable {
  readonly nodes: ConductorProcess[] = [];
  readonly stub = new StubNode();
  readonly #directory: string;

  private constructor(parent: string) {
    this.#directory = join(parent, `conductors-${process.pid}-${Date.now()}`);
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(join(this.#directory, ROLLUP_FILE), JSON.stringify(rollupConfig));
  }

  /** Starts the processes and joins them; the first one leads. */
  static async start({ side, count, parent, flagsOf = () => [] }: ConductorsOptions): Promise<Conductors> {
    const found = conductorCommand(side);
    if ('missing' in found) throw new Error(found.missing);
    const cluster = new Conductors(parent);
    try {
      const directory = cluster.#directory;
      await cluster.#form({ command: found.command, directory, stub: cluster.stub, flagsOf }, count);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  get leader(): ConductorProcess {
    return this.nodes[0] as ConductorProcess;
  }

  /** Gives leadership back to the first node, and waits until it has it: a starved machine may have taken it away. */
  async restoreLeader(): Promise<void> {
    const { id, raftPort } = this.leader;
    await waitFor(`${id} to lead again`, START_TIMEOUT_MS, async () => {
      if ((await this.leader.call('conductor_leader')) === true) return true;
      for (const node of this.nodes) {
        if ((await node.call('conductor_leader')) !== true) continue;
        await node.call('conductor_transferLeaderToServer', [id, `127.0.0.1:${raftPort}`]);
      }
      return null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    this.stub.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #form(shared: Shared, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const node = new ConductorProcess(shared, `sequencer-${at}`, at === 0);
      this.nodes.push(node);
      const isUp = await waitFor(`${node.id} to answer`, START_TIMEOUT_MS, async () => {
        if (node.hasEnded) return false;
        const isLeader = await node.call('conductor_leader');
        return at > 0 || isLeader === true ? true : null;
      });
      if (!isUp) throw new Error(`${node.id} ended at its start:\n${node.logTail()}`);
      if (at > 0) await this.leader.call('conductor_addServerAsVoter', [node.id, `127.0.0.1:${node.raftPort}`, 0]);
    }
  }
}
