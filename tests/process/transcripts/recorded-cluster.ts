/**
 * The cluster of the recorded exchanges: four conductors, each with a backend that stands for its op-node
 * and execution client and answers what was recorded, brought from scene to scene as the file names them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildProcess } from '../../cluster/child-process.ts';
import { conductorCommand } from '../../cluster/conductor-command.ts';
import { freePorts } from '../../cluster/free-ports.ts';
import { waitFor } from '../../cluster/wait.ts';
import { RecordedBackend } from './recorded-backend.ts';
import type { RecordedCase, TranscriptFile } from './transcript-file.ts';

/** Longest wait for a scene to be set. */
const sceneMsMax = 20_000;
/** Body limit of the servers that were recorded. */
const bodyLimit = 5 * 1024 * 1024;
/** Seconds; the recorded heads are years old and were healthy. */
const unsafeInterval = 1_000_000_000;

interface Member {
  readonly id: string;
  readonly raft: number;
  readonly rpc: number;
  readonly metrics: number;
  readonly backend: RecordedBackend;
  readonly process: ChildProcess;
}

export class RecordedCluster {
  readonly #file: TranscriptFile;
  readonly #folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
  readonly #members = new Map<string, Member>();
  #scene = '';

  constructor(file: TranscriptFile) {
    this.#file = file;
    for (const [name, node] of Object.entries(file.nodes)) {
      const [raft = 0, rpc = 0, metrics = 0, backendPort = 0] = freePorts(4);
      const backend = new RecordedBackend(backendPort, file.backendAnswers[name] ?? {});
      const child = new ChildProcess(`conductor ${name}`, join(this.#folder, `${name}.log`));
      this.#members.set(name, { id: node.id, raft, rpc, metrics, backend, process: child });
    }
  }

  /** A bootstrapped and leading alone, the others beside it. */
  async start(): Promise<void> {
    for (const [name, member] of this.#members) this.#launch(name, member);
    await Promise.all([...this.#members.keys()].map((name) => this.#until(name, 'conductor_active', () => true)));
    await this.#until('A', 'conductor_leader', (leads) => leads === true);
    await this.#until('A', 'conductor_paused', (isPaused) => isPaused === true);
  }

  async stop(): Promise<void> {
    for (const { process: child, backend } of this.#members.values()) {
      await child.kill();
      backend.close();
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`there is no node ${name}`);
    return member;
  }

  /** Recorded addresses of members become those of this run. */
  translate(text: string): string {
    let translated = text;
    for (const [name, { raft }] of Object.entries(this.#file.nodes)) {
      translated = translated.replaceAll(raft, `127.0.0.1:${this.member(name).raft}`);
    }
    return translated;
  }

  /** Ports that belong to a run and not to a member's address become the same text on both sides. */
  withoutPorts(text: string): string {
    const known = new Set([...this.#members.values()].map(({ raft }) => `127.0.0.1:${raft}`));
    return text.replaceAll(/127\.0\.0\.1:\d{4,5}\b/g, (address) => (known.has(address) ? address : '127.0.0.1:port'));
  }

  /** Brings the cluster into the scene of a case, and the backend to what it answered. */
  async prepare(one: RecordedCase): Promise<void> {
    if (one.scene !== this.#scene) {
      this.#scene = one.scene;
      await this.#enter(one.scene);
    }
    const { backend } = this.member(one.node);
    backend.expect(specialAnswer(one), one.backendCalls ?? []);
  }

  async #enter(scene: string): Promise<void> {
    if (/A leader and paused/.test(scene)) await this.#call('A', 'conductor_pause');
    if (/removes itself/.test(scene)) await this.#makeLeader('A', ['A', 'B', 'C']);
    if (/B leads; the other one is killed/.test(scene)) {
      await this.#makeLeader('B', ['B', 'C']);
      await this.member('C').process.kill();
    }
    if (/refuse connections/.test(scene)) this.member('A').backend.close();
    if (/answer again/.test(scene)) this.member('A').backend.open();
  }

  async #makeLeader(name: string, voters: readonly string[]): Promise<void> {
    const { id, raft } = this.member(name);
    await waitFor(`${name} to lead`, sceneMsMax, async () => {
      if ((await this.#call(name, 'conductor_leader')) === true) return true;
      for (const other of voters) {
        if ((await this.#call(other, 'conductor_leader')) !== true) continue;
        await this.#call(other, 'conductor_transferLeaderToServer', [id, `127.0.0.1:${raft}`]);
      }
      return null;
    });
  }

  #launch(name: string, member: Member): void {
    const backend = `http://127.0.0.1:${member.backend.port}`;
    const isAlone = name === 'D';
    member.process.start([
      ...conductorCommand(),
      '--consensus.addr=127.0.0.1',
      `--consensus.port=${member.raft}`,
      `--raft.server.id=${member.id}`,
      `--raft.storage.dir=${join(this.#folder, name)}`,
      `--raft.bootstrap=${name === 'A'}`,
      `--paused=${isAlone}`,
      `--rpc.enable-proxy=${!isAlone}`,
      '--rpc.enable-admin',
      `--rpc.body-limit=${bodyLimit}`,
      '--rpc.addr=127.0.0.1',
      `--rpc.port=${member.rpc}`,
      '--metrics.enabled',
      '--metrics.addr=127.0.0.1',
      `--metrics.port=${member.metrics}`,
      `--node.rpc=${backend}`,
      `--execution.rpc=${backend}`,
      '--network=op-mainnet',
      '--healthcheck.interval=1',
      `--healthcheck.unsafe-interval=${unsafeInterval}`,
      '--healthcheck.min-peer-count=1',
    ]);
  }

  async #until(name: string, method: string, holds: (result: unknown) => boolean): Promise<void> {
    await waitFor(`${method} of ${name}`, sceneMsMax, async () => {
      this.member(name).process.requireAlive();
      return holds(await this.#call(name, method)) ? true : null;
    });
  }

  async #call(name: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.member(name).rpc}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(sceneMsMax),
    });
    return ((await response.json()) as { result?: unknown }).result;
  }
}

/** One recorded error of the node is known only by what was made of it. */
function specialAnswer(one: RecordedCase): { readonly answer: unknown } | null {
  if ('backendAnswer' in one) return { answer: one.backendAnswer };
  const message = /the node answers an error/.test(one.name)
    ? /: ([^:"]+)"\}\}/.exec(one.response.body ?? '')?.[1]
    : undefined;
  return message === undefined ? null : { answer: { __error: { code: -32000, message } } };
}
