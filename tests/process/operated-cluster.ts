/**
 * A cluster of real processes and the operators' tool before it, as a program of its own: every call goes through
 * a proxy that can make it fail, every run of the tool is one result.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { FailingProxy } from '../cluster/failing-proxy.ts';
import type { Implementation } from '../cluster/node-process.ts';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { OperatorTerminal } from './operator-terminal.ts';

const RUN_MS_MAX = 90_000;

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The parts of `status --json` that tests read. */
export interface Status {
  readonly leader: string | null;
  readonly troubles: readonly string[];
  readonly quorum: { readonly voters: number; readonly answering: number; readonly isReached: boolean };
  readonly membership: { readonly servers: readonly { readonly id: string; readonly suffrage: string }[] };
  readonly servers: readonly {
    readonly id: string;
    readonly role: string;
    readonly software: string | null;
    readonly paused: boolean | null;
    readonly node: { readonly sequencing: boolean | null };
  }[];
}

export class OperatedCluster implements AsyncDisposable {
  readonly cluster: ServiceCluster;
  /** In front of the conductors, and of the op-nodes, by server id. */
  readonly conductors: ReadonlyMap<string, FailingProxy>;
  readonly nodes: ReadonlyMap<string, FailingProxy>;
  readonly file: string;

  constructor(implementations: readonly Implementation[]) {
    this.cluster = new ServiceCluster({
      implementations,
      settings: { healthIntervalSeconds: 1, unsafeIntervalSeconds: 5 },
    });
    const { nodes } = this.cluster;
    this.conductors = new Map(nodes.map(({ id, addresses }) => [id, new FailingProxy(addresses.rpc)]));
    this.nodes = new Map(nodes.map(({ id, addresses }) => [id, new FailingProxy(addresses.node)]));
    this.file = join(this.cluster.directory, 'conductor.toml');
    const rows = nodes.map(
      ({ id, advertised }) =>
        `[[server]]\nid = "${id}"\nconductor = "${this.conductors.get(id)?.url}"\nconsensus = "${advertised}"\nnode = "${this.nodes.get(id)?.url}"\n`,
    );
    writeFileSync(this.file, rows.join('\n'));
  }

  node(id: string): ServiceNode {
    const found = this.cluster.nodes.find((node) => node.id === id);
    if (found === undefined) throw new RangeError(`there is no ${id}`);
    return found;
  }

  /** Runs the tool to its end. */
  async run(...words: readonly string[]): Promise<Run> {
    return this.end(this.start(...words));
  }

  /** Starts the tool, for those who interrupt it. */
  start(...words: readonly string[]): Subprocess<'ignore', 'pipe', 'pipe'> {
    return Bun.spawn([...conductorCommand(), ...words, '--cluster', this.file], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
  }

  /** The same on a terminal. */
  onTerminal(...words: readonly string[]): OperatorTerminal {
    return new OperatorTerminal([...conductorCommand(), ...words, '--cluster', this.file]);
  }

  async end(child: Subprocess<'ignore', 'pipe', 'pipe'>): Promise<Run> {
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS_MAX);
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const code = await child.exited;
    clearTimeout(timer);
    return { code, out, err };
  }

  async status(): Promise<Status> {
    return JSON.parse((await this.run('status', '--json')).out) as Status;
  }

  /** The next call of a method that changes something fails, whichever server it is made on. */
  fail(method: string, how: 'refused' | 'lost' | 'unheard', times = 1): void {
    for (const proxy of [...this.conductors.values(), ...this.nodes.values()]) {
      proxy.failed.length = 0;
      proxy.fail(method, how, times);
    }
  }

  heal(): void {
    for (const proxy of [...this.conductors.values(), ...this.nodes.values()]) proxy.heal();
  }

  /** Waits until a call of the method has failed since `fail`. */
  async hasFailed(method: string): Promise<void> {
    const proxies = [...this.conductors.values(), ...this.nodes.values()];
    await waitFor(`${method} to fail`, RUN_MS_MAX, () =>
      proxies.some(({ failed }) => failed.includes(method)) ? true : null,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
    for (const proxy of [...this.conductors.values(), ...this.nodes.values()]) await proxy[Symbol.asyncDispose]();
  }
}
