/**
 * A conductor process beside a node that only says it is well, for tests of the conductor's own doors:
 * RPC, credentials, raft port. What it writes is kept; flags are given per start.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollupConfig } from '#conductor/dev-sequencer/chain-spec';
import { PARENT_VARIABLE } from '#conductor/dev-sequencer/parent-watch';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { HealthyNode, type NodeCall } from '../cluster/healthy-node.ts';
import { waitFor } from '../cluster/wait.ts';

const HOST = '127.0.0.1';
const CALL_MS_MAX = 15_000;
const WAIT_MS_MAX = 30_000;
/** What of its output goes into an error, characters. */
const TAIL_LENGTH = 3000;

/** What a call came back as. */
export interface RpcReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
}

export class LoneConductor {
  readonly id: string;
  readonly raftPort: number;
  readonly rpcPort: number;
  readonly metricsPort: number;
  /** All that it wrote, over all starts. */
  output = '';
  readonly #folder: string;
  readonly #node = new HealthyNode((call) => this.#largeBlock(call));
  #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null;

  /** `folder` holds its state. */
  constructor(folder: string, id: string) {
    const [raft, rpc, metrics] = freePorts(3) as [number, number, number];
    this.id = id;
    this.#folder = folder;
    this.raftPort = raft;
    this.rpcPort = rpc;
    this.metricsPort = metrics;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'rollup.json'),
      JSON.stringify(
        rollupConfig({ genesisTime: 1_700_000_000, blockSeconds: 1, chainId: 901 }, `0x${'a1'.repeat(32)}`),
      ),
    );
  }

  /** Of its process; 0 before the first start. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get storageDir(): string {
    return join(this.#folder, 'raft');
  }

  get raftAddress(): string {
    return `${HOST}:${this.raftPort}`;
  }

  /** Starts it; `flags` come last, so they win. `launcher` are words that run the words after them. */
  start(flags: readonly string[] = [], launcher: readonly string[] = []): void {
    const node = this.#node.url;
    const own = {
      'consensus.addr': HOST,
      'consensus.port': this.raftPort,
      'consensus.advertised': this.raftAddress,
      'raft.server.id': this.id,
      'raft.storage.dir': this.storageDir,
      'node.rpc': node,
      'execution.rpc': node,
      'rollup.config': join(this.#folder, 'rollup.json'),
      'healthcheck.interval': 1,
      'healthcheck.unsafe-interval': 5,
      'healthcheck.min-peer-count': 1,
      'rpc.addr': HOST,
      'rpc.port': this.rpcPort,
      'metrics.enabled': true,
      'metrics.addr': HOST,
      'metrics.port': this.metricsPort,
      'log.format': 'logfmt',
    };
    const words = Object.entries(own).map(([name, value]) => `--${name}=${value}`);
    const child = Bun.spawn([...launcher, ...conductorCommand(), ...words, ...flags], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, [PARENT_VARIABLE]: String(process.pid) },
    });
    this.#child = child;
    void this.#collect(child.stdout);
    void this.#collect(child.stderr);
  }

  /** Bytes that its node's answers to eth_getBlockByNumber have at this height, for clients of the proxy alone. */
  static readonly LARGE_BLOCK_HEIGHT = '0xb16';
  largeBlockBytes = 0;

  /** Its node takes calls and answers none, until it thaws. */
  freezeNode(): void {
    this.#node.freeze();
  }

  thawNode(): void {
    this.#node.thaw();
  }

  /** Calls a method, or sends a batch. */
  async call(method: string, params: readonly unknown[] = [], headers: Record<string, string> = {}): Promise<RpcReply> {
    return this.send({ jsonrpc: '2.0', id: 1, method, params }, headers);
  }

  async send(body: unknown, headers: Record<string, string> = {}): Promise<RpcReply> {
    const response = await fetch(`http://${HOST}:${this.rpcPort}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    }).catch((thrown: unknown) => {
      throw new Error(`${this.id} was not reached; it wrote ${this.output.slice(-TAIL_LENGTH)}`, { cause: thrown });
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as RpcReply['body'] };
  }

  /** Waits until a read method answers `expected`. */
  async answers(method: string, expected: unknown): Promise<void> {
    await waitFor(`${method} of ${this.id} to be ${String(expected)}, wrote: ${this.output}`, WAIT_MS_MAX, async () =>
      (await this.call(method)).body.result === expected ? true : null,
    );
  }

  /** Waits until what it wrote matches. */
  async wrote(pattern: RegExp): Promise<string> {
    return waitFor(`${this.id} to write ${pattern.source}`, WAIT_MS_MAX, () => pattern.exec(this.output)?.[0] ?? null);
  }

  /** Bytes of memory it has used at most since it started. */
  residentPeakBytes(): number {
    return this.#memory(/^VmHWM:\s+(\d+)/m);
  }

  /** Bytes of memory it uses now. */
  residentBytes(): number {
    return this.#memory(/^VmRSS:\s+(\d+)/m);
  }

  #memory(line: RegExp): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(line.exec(status)?.[1] ?? 0) * 1024;
  }

  /** Waits for its end; resolves with its exit code. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    await waitFor(`${this.id} to end`, WAIT_MS_MAX, () =>
      child.exitCode !== null || child.signalCode !== null ? true : null,
    );
    return child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#node.stop();
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.output += decoder.decode(chunk, { stream: true });
  }

  #largeBlock({ params }: NodeCall): { readonly result: unknown } | null {
    if (params[0] !== LoneConductor.LARGE_BLOCK_HEIGHT) return null;
    return { result: { ...this.#node.header, extraData: 'x'.repeat(this.largeBlockBytes) } };
  }
}
