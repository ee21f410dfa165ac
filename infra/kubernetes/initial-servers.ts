/** Three real conductors in the place of the pods, and the steps of the Job that makes them a cluster, as its manifest has them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from './manifests.ts';
import { renderKustomization } from './render.ts';

const HOST = '127.0.0.1';
const CALL_MS_MAX = 15_000;

/** How a step of the Job ended. */
export interface StepEnd {
  readonly name: string;
  /** null: killed. */
  readonly code: number | null;
  readonly output: string;
}

/** A conductor process; its state is below a folder that the test knows. */
export interface InitialServer extends AsyncDisposable {
  readonly id: string;
  readonly rpcPort: number;
  readonly raftAddress: string;
  start(flags: readonly string[]): void;
  call(method: string): Promise<{ readonly body: { readonly result?: unknown } }>;
}

export interface InitialServersOptions<Server> {
  /** In the order of the list. */
  readonly servers: readonly Server[];
  /** Words that start the program. */
  readonly command: readonly string[];
  /** For the cluster file. */
  readonly folder: string;
}

export class InitialServers<Server extends InitialServer> {
  readonly servers: readonly Server[];
  readonly #options: InitialServersOptions<Server>;
  readonly #list: string;

  constructor(options: InitialServersOptions<Server>) {
    this.#options = options;
    this.servers = options.servers;
    this.#list = this.servers.map(({ id, rpcPort }) => `${id}=http://${HOST}:${rpcPort}`).join(',');
  }

  start(server: Server): void {
    server.start([`--raft.bootstrap-once=${this.#list}`, '--rpc.enable-admin']);
  }

  /** "id suffrage" of all members as a server sees them, sorted. */
  async members(server: Server): Promise<string[]> {
    const { body } = await server.call('conductor_clusterMembership');
    return (body.result as { servers: { id: string; suffrage: number }[] }).servers
      .map(({ id, suffrage }) => `${id} ${suffrage === 0 ? 'voter' : 'nonvoter'}`)
      .toSorted();
  }

  /** HTTP status of a probe. */
  async probe(server: Server, path: '/healthz' | '/readyz'): Promise<number> {
    const url = `http://${HOST}:${server.rpcPort}${path}`;
    return (await fetch(url, { signal: AbortSignal.timeout(CALL_MS_MAX) })).status;
  }

  /** Runs the Job's steps in their order until one fails; `killAfterMs` ends the one that runs then by SIGKILL. */
  async runJob(killAfterMs = Infinity): Promise<StepEnd[]> {
    const file = join(this.#options.folder, 'conductor.toml');
    const rows = this.servers.map(
      ({ id, rpcPort, raftAddress }) =>
        `[[server]]\nid = "${id}"\nconductor = "http://${HOST}:${rpcPort}"\nconsensus = "${raftAddress}"\n`,
    );
    writeFileSync(file, rows.join('\n'));
    const killAtMs = performance.now() + killAfterMs;
    const ends: StepEnd[] = [];
    for (const { name, args } of jobSteps()) {
      if (ends.some(({ code }) => code !== 0)) break;
      const child = Bun.spawn([...this.#options.command, ...args!], {
        env: { ...process.env, CONDUCTOR_CLUSTER: file },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const killer = Number.isFinite(killAtMs)
        ? setTimeout(() => child.kill('SIGKILL'), Math.max(0, killAtMs - performance.now()))
        : undefined;
      const [output, complaints] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      await child.exited;
      clearTimeout(killer);
      ends.push({ name, code: child.exitCode, output: output + complaints });
    }
    return ends;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]();
  }
}

function jobSteps(): readonly Container[] {
  const resources = renderKustomization(join(import.meta.dirname, 'form-cluster'));
  const { template } = resources.find(({ kind }) => kind === 'Job')!['spec'] as {
    template: { spec: { initContainers: Container[]; containers: Container[] } };
  };
  return [...template.spec.initContainers, ...template.spec.containers];
}
