/**
 * One server as a real operating-system process: start, kill −9, stop, continue, restart on the same
 * directory and ports. A node exits by itself when its stdin closes, so none outlives its test.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { ControlClient } from './control.ts';
import { freePorts } from './free-ports.ts';

export type Implementation = 'go' | 'bun';

/** Settings passed on as flags; absent ones take the node's default, which is op-conductor's. */
export interface NodeSettings {
  readonly heartbeatMs?: number;
  readonly electionMs?: number;
  readonly leaseMs?: number;
  readonly snapshotThreshold?: number;
  readonly snapshotIntervalMs?: number;
  readonly trailing?: number;
}

/** Memory of a process in bytes: now, and the most it ever had. */
export interface Resident {
  readonly now: number;
  readonly peak: number;
}

const READY_TIMEOUT_MS = 30_000;
const LOG_TAIL_BYTES = 4000;
const CLOCK_TICKS_PER_SECOND = 100;
const repository = join(import.meta.dirname, '../..');

/** Where bench/build-gonode.ts puts the Go node. */
export const GO_NODE_PATH = join(repository, '.tools/gonode');

export class NodeProcess {
  readonly id: string;
  readonly implementation: Implementation;
  /** "host:port" as the configuration names it. */
  readonly address: string;
  /** Where the raft transport listens on 127.0.0.1. */
  readonly raftPort: number;
  readonly control: ControlClient;
  readonly controlPort: number;
  readonly directory: string;
  /** How often it was started: tells one life of the process from the next. */
  lives = 0;
  /** How often it was given an empty disk: terms and votes are kept as long as this stays the same. */
  disks = 1;
  /** Milliseconds from spawn to the ready line of the latest start. */
  readyMs = 0;
  readonly #settings: NodeSettings;
  readonly #logPath: string;
  #child: Subprocess<'pipe', 'pipe', number> | null = null;

  /** `address` is the advertised one where something stands between it and the port that is listened on. */
  constructor(options: {
    readonly id: string;
    readonly implementation: Implementation;
    readonly directory: string;
    readonly settings: NodeSettings;
    readonly address?: string;
  }) {
    const [raftPort, controlPort] = freePorts(2) as [number, number];
    this.id = options.id;
    this.implementation = options.implementation;
    this.raftPort = raftPort;
    this.address = options.address ?? `127.0.0.1:${raftPort}`;
    this.controlPort = controlPort;
    this.control = new ControlClient(controlPort);
    this.directory = join(options.directory, options.id);
    this.#logPath = join(options.directory, `${options.id}.log`);
    this.#settings = options.settings;
    mkdirSync(this.directory, { recursive: true });
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Throws while the process does not run. */
  get pid(): number {
    if (this.#child === null) throw new Error(`${this.id} is not running`);
    return this.#child.pid;
  }

  /** Starts the process and waits for its ready line; `bootstrap` is the first configuration, "id=addr,…". */
  async start(bootstrap?: string): Promise<void> {
    if (this.#child !== null) throw new Error(`${this.id} is running already`);
    const log = openSync(this.#logPath, 'a');
    const started = performance.now();
    const child = Bun.spawn([...this.#program(), ...this.#flags(bootstrap)], {
      cwd: repository,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: log,
    });
    closeSync(log);
    this.#child = child;
    this.lives += 1;
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
    const line = await firstLine(child.stdout);
    clearTimeout(timer);
    if (!line.includes('"ready":true')) {
      this.#child = null;
      await child.exited;
      throw new Error(`${this.id} did not become ready (${line.slice(0, 200)}):\n${this.logTail()}`);
    }
    this.readyMs = performance.now() - started;
  }

  /** kill −9, then waits until the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    child.kill('SIGKILL');
    await child.exited;
  }

  /** Removes everything the stopped node stored. */
  wipe(): void {
    if (this.#child !== null) throw new Error(`${this.id} is running`);
    rmSync(this.directory, { recursive: true, force: true });
    mkdirSync(this.directory, { recursive: true });
    this.disks += 1;
  }

  /** SIGSTOP: the process keeps its sockets and answers nothing. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** SIGCONT. */
  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  resident(): Resident {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
  }

  /** Processor time used so far by all threads, in seconds, in steps of 10 ms. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  }

  /** The last lines the node wrote to stderr, for error messages. */
  logTail(): string {
    return readFileSync(this.#logPath, 'utf8').slice(-LOG_TAIL_BYTES);
  }

  #program(): string[] {
    if (this.implementation === 'go') return [GO_NODE_PATH];
    const compiled = process.env['CONDUCTOR_TEST_NODE_BIN'] ?? '';
    return compiled === '' ? [process.execPath, join(import.meta.dirname, 'node.ts')] : [compiled];
  }

  #flags(bootstrap: string | undefined): string[] {
    const s = this.#settings;
    const values: Record<string, string | number | undefined> = {
      id: this.id,
      raft: this.address,
      listen: `127.0.0.1:${this.raftPort}`,
      control: this.controlPort,
      dir: this.directory,
      bootstrap,
      'heartbeat-ms': s.heartbeatMs,
      'election-ms': s.electionMs,
      'lease-ms': s.leaseMs,
      'snapshot-threshold': s.snapshotThreshold,
      'snapshot-interval-ms': s.snapshotIntervalMs,
      trailing: s.trailing,
    };
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return ['--exit-with-stdin', ...given.flatMap(([name, value]) => [`--${name}`, String(value)])];
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (value !== undefined) text += decoder.decode(value, { stream: true });
    if (done || text.includes('\n')) return text;
  }
}
