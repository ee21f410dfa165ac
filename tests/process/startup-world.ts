/**
 * What a recorded start needs around it: a node that answers as the case's name says, files, a taken port,
 * and one run of the program until it ends or has started.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { rollupConfig } from '#conductor/dev-sequencer/chain-spec';
import { startDifferenceOf } from '#conductor/cli/startup-differences';
import { PARENT_VARIABLE } from '#conductor/dev-sequencer/parent-watch';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { HealthyNode, type NodeAnswer, type NodeCall } from '../cluster/healthy-node.ts';
import { waitFor } from '../cluster/wait.ts';

/** One case of startup-errors.json. */
export interface RecordedStart {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** null: it still ran; negative: ended by that signal. */
  readonly exitCode: number | null;
  readonly stillRunningAfterSeconds: number | null;
  readonly firstStdoutLine: string | null;
  readonly finalStdoutLine: string | null;
  readonly warnings?: readonly string[];
}

export interface Outcome {
  /** null: it had started, or waits for a node, and was then killed; negative: ended by that signal. */
  readonly exitCode: number | null;
  readonly output: string;
}

const RUN_MS_MAX = 30_000;
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 };

export class StartupWorld {
  readonly #folder: string;
  readonly #node = new HealthyNode((call) => answerOf(call));
  readonly #taken: Server = createServer();
  #takenPort = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    const rollup = rollupConfig({ genesisTime: 1_700_000_000, blockSeconds: 2, chainId: 901 }, `0x${'a1'.repeat(32)}`);
    const files = {
      'rollup.json': JSON.stringify(rollup),
      'empty.json': '{}',
      'bad.json': '{',
      'extra.json': JSON.stringify({ ...rollup, x: 1 }),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.#folder, name), content);
    [this.#takenPort] = freePorts(1) as [number];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken.listen(this.#takenPort, '127.0.0.1', resolve);
    await promise;
  }

  async close(): Promise<void> {
    this.#taken.close();
    await this.#node.stop();
  }

  /** Runs it until it ends, or has started and was sent the signal its name speaks of, or is killed as one that goes on. */
  async run(one: RecordedStart): Promise<Outcome> {
    const ports = freePorts(3);
    const fill = (text: string): string => this.#fill(text, one.name, ports);
    const argv = one.argv.map(fill);
    this.#prepare(one.name, argv);
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('OP_CONDUCTOR_'));
    const child = Bun.spawn([...conductorCommand(), ...argv], {
      cwd: this.#folder,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      env: { ...Object.fromEntries(own), ...one.env, [PARENT_VARIABLE]: String(process.pid) },
    });
    const seen = { output: '' };
    const reading = follow(child.stdout, seen);
    // What goes on without having started, such as a wait for flashblocks, is watched as long as op-conductor was.
    const watchedUntil = performance.now() + (one.stillRunningAfterSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    const hasSettled = (): boolean =>
      child.exitCode !== null ||
      child.signalCode !== null ||
      /OpConductor started|waiting for the .* of=60/.test(seen.output) ||
      performance.now() > watchedUntil;
    await waitFor(`"${one.name}" to start or end`, RUN_MS_MAX, () => (hasSettled() ? true : null));
    const signal = /stopped by (SIG[A-Z]+)/.exec(one.name)?.[1] ?? (one.exitCode === 0 ? 'SIGTERM' : 'SIGKILL');
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver) child.kill(signal as NodeJS.Signals);
    const outlives = isOver || signal !== 'SIGHUP' ? undefined : startDifferenceOf(one.name);
    if (outlives !== undefined) {
      await waitFor(`"${one.name}" to go on`, RUN_MS_MAX, () => outlives.says.exec(seen.output));
      child.kill('SIGKILL');
    }
    await child.exited;
    await reading;
    if (!isOver && child.signalCode === 'SIGKILL') return { exitCode: null, output: seen.output };
    const ended = child.signalCode === null ? child.exitCode : -(SIGNAL_NUMBERS[child.signalCode] ?? 0);
    return { exitCode: ended, output: seen.output };
  }

  #fill(text: string, name: string, [consensus = 0, rpc = 0, closed = 0]: readonly number[]): string {
    const node = `${this.#node.url}/${encodeURIComponent(name)}`;
    return text
      .replaceAll('<dir>', this.#folder)
      .replaceAll('<node-url>', node)
      .replaceAll('<closed-port>', `127.0.0.1:${closed}`)
      .replaceAll('<taken-port>', String(this.#takenPort))
      .replaceAll('<consensus-port>', String(consensus))
      .replaceAll('<rpc-port>', String(rpc));
  }

  /** Puts something in the way of the store where the name says so. */
  #prepare(name: string, argv: readonly string[]): void {
    if (!name.startsWith('log database')) return;
    const value = (flag: string): string => argv.find((word) => word.startsWith(flag))?.slice(flag.length) ?? '';
    const file = join(value('--raft.storage.dir='), value('--raft.server.id='), 'raft-log.db');
    if (name.includes('folder')) mkdirSync(file, { recursive: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'not a database');
    }
  }
}

/** What the case's name says of the node; it has no methods but those that a start asks for. */
function answerOf({ path, method }: NodeCall): NodeAnswer {
  const name = decodeURIComponent(path);
  if (name.includes('HTTP 500')) return new Response('oops', { status: 500 });
  const unknown = { error: { code: -32_601, message: `the method ${method} does not exist` } };
  switch (method) {
    case 'admin_conductorEnabled':
      return name.includes('without conductorEnabled') ? unknown : { result: !name.includes('not enabled') };
    case 'admin_sequencerActive':
      return name.includes('refuses sequencerActive')
        ? { error: { code: -32_000, message: 'sequencer is not enabled' } }
        : null;
    case 'eth_getBlockByNumber':
      return null;
    default:
      return unknown;
  }
}

async function follow(stream: ReadableStream<Uint8Array>, seen: { output: string }): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) seen.output += decoder.decode(chunk, { stream: true });
}
