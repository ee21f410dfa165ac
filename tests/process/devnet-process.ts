/**
 * A `conductor devnet` as a test sees it: a real process with real children, read by its lines, asked
 * through its nodes' ports, and looked for leftovers by process id.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { Subprocess } from 'bun';
import { isAlive } from '#conductor/adapters/process/process-identity';
import { callRpc } from '#conductor/dev-sequencer/json-rpc-client';
import { localUrl, planNodes } from '#conductor/devnet/plan';
import type { NodePlan } from '#conductor/devnet/plan';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const READY_MS_MAX = 60_000;
const EXIT_MS_MAX = 30_000;
const CALL_MS_MAX = 2_000;
/** Raft ports (50050 and up) then lie above the range from which the system numbers outgoing connections. */
const OFFSETS = { lowest: 10_960, highest: 15_000 };
const PARENT_MARK = 'CONDUCTOR_DEVNET_PARENT=';

/** A height and the hash one node has there. */
export interface SeenBlock {
  readonly number: number;
  readonly hash: string;
}

/** An offset whose 21 ports are free now. */
export function freeOffset(): number {
  for (;;) {
    const spread = OFFSETS.highest - OFFSETS.lowest;
    const offset = OFFSETS.lowest + Math.floor(Math.random() * spread);
    const ports = planNodes(offset).flatMap((node) => Object.values(node.ports));
    if (ports.every(isFree)) return offset;
  }
}

/** A running devnet; start it with `startDevnet`. */
export class DevnetProcess {
  readonly nodes: readonly NodePlan[];
  readonly #child: Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #output: Promise<string>;
  readonly #errors: Promise<string>;
  #seen = '';

  /** `hasConsole`: with the page of the console, which most tests can do without. `env`: variables beside those of the test. */
  constructor(
    flags: readonly string[],
    portOffset: number,
    {
      hasConsole = false,
      env = {},
    }: { readonly hasConsole?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
  ) {
    this.nodes = planNodes(portOffset);
    const words = [...conductorCommand(), 'devnet', '--port-offset', String(portOffset), '--report-blocks', '1'];
    if (!hasConsole) words.push('--no-console');
    this.#child = Bun.spawn([...words, ...flags], {
      ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
      env: { ...process.env, ...env },
    });
    this.#output = this.#follow();
    this.#errors = new Response(this.#child.stderr).text();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** What it printed so far. */
  get output(): string {
    return this.#seen;
  }

  /** Returns once it says it is ready; throws with all it said when it ends before. */
  async ready(): Promise<void> {
    await waitFor('the devnet to be ready', READY_MS_MAX, async () => {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.#seen}${await this.#errors}`);
      return this.#seen.includes('\nready ') ? true : null;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit code and everything it said. */
  async ended(): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
    await waitFor('the devnet to end', EXIT_MS_MAX, () => (this.#hasEnded() ? true : null));
    return { code: this.#child.exitCode, output: await this.#output, errors: await this.#errors };
  }

  /** Living processes that belong to this devnet, itself left out. */
  children(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isAlive(pid) && environmentOf(pid).includes(`${PARENT_MARK}${this.pid}\u0000`));
  }

  /** Process id of one conductor or sequencer, by its flag that names a port. */
  childWith(flag: string, value: number | string): number {
    const found = this.children().find((pid) => commandOf(pid).join(' ').includes(`${flag} ${value}`));
    if (found === undefined) throw new Error(`no child of the devnet has ${flag} ${value}`);
    return found;
  }

  conductor(index: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#call(this.#node(index).ports.conductorRpc, method, params);
  }

  sequencer(index: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#call(this.#node(index).ports.sequencerNode, method, params);
  }

  /** The unsafe head of one sequencer. */
  async head(index: number): Promise<SeenBlock> {
    const status = (await this.sequencer(index, 'optimism_syncStatus')) as { unsafe_l2: SeenBlock };
    return { number: status.unsafe_l2.number, hash: status.unsafe_l2.hash };
  }

  /** Returns once a sequencer's head is at least this high. */
  async reaches(index: number, number: number, timeoutMs: number): Promise<SeenBlock> {
    return waitFor(`sequencer ${index + 1} to reach block ${number}`, timeoutMs, async () => {
      const head = await this.head(index);
      return head.number >= number ? head : null;
    });
  }

  /** Index of the conductor that says it leads; among those given. */
  async leader(among: readonly number[] = [0, 1, 2]): Promise<number> {
    return waitFor('a leader', READY_MS_MAX, async () => {
      for (const index of among) {
        const leads = await this.conductor(index, 'conductor_leader').catch(() => false);
        if (leads === true) return index;
      }
      return null;
    });
  }

  /** Everything one sequencer published from a height on. */
  async published(index: number): Promise<readonly SeenBlock[]> {
    return (await this.sequencer(index, 'dev_published', [0])) as SeenBlock[];
  }

  /** One hash per height on one node, from its chain. */
  async chain(index: number): Promise<readonly SeenBlock[]> {
    const { number } = await this.head(index);
    const seen: SeenBlock[] = [];
    for (let at = 1; at <= number; at += 1) {
      const port = this.#node(index).ports.sequencerExecution;
      const block = (await this.#call(port, 'eth_getBlockByNumber', [`0x${at.toString(16)}`, false])) as SeenBlock;
      seen.push({ number: at, hash: block.hash });
    }
    return seen;
  }

  #call(port: number, method: string, params: readonly unknown[]): Promise<unknown> {
    return callRpc({ url: localUrl(port), timeoutMs: CALL_MS_MAX }, method, params);
  }

  #node(index: number): NodePlan {
    const node = this.nodes[index];
    if (node === undefined) throw new RangeError(`there is no node ${index}`);
    return node;
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #follow(): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) this.#seen += decoder.decode(chunk, { stream: true });
    return this.#seen;
  }
}

/** Heights that two of these blocks fill with different hashes. */
export function conflicts(blocks: readonly SeenBlock[]): number[] {
  const hashes = new Map<number, string>();
  const broken = new Set<number>();
  for (const { number, hash } of blocks) {
    if ((hashes.get(number) ?? hash) !== hash) broken.add(number);
    hashes.set(number, hash);
  }
  return [...broken];
}

export function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, exclusive: true, socket: { data: () => undefined } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

function environmentOf(pid: number): string {
  return read(pid, 'environ');
}

function commandOf(pid: number): string[] {
  return read(pid, 'cmdline').split('\u0000');
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
