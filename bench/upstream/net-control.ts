/**
 * Runs the net for op-conductor's own tests: their set-up (setup/netcontrol) asks here over HTTP for what upstream's
 * set-up starts inside of the test. One net per test.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcess } from '../../tests/cluster/child-process.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { L2_CHAIN_ID } from '../realnet/genesis.ts';
import { callRpc } from '../realnet/json-rpc.ts';
import { RealNet } from '../realnet/real-net.ts';
import type { RealNode } from '../realnet/real-node.ts';

const HOST = '127.0.0.1';
const WAIT_MS_MAX = 60_000;

export interface NetControlOptions {
  readonly geth: string;
  readonly opNode: string;
  /** Words that start the conductor beside each sequencer, by its number. */
  readonly conductors: readonly (readonly string[])[];
  /** Conductors form a cluster before the test begins; otherwise the test starts and joins them. */
  readonly isFormed: boolean;
  /** Where its temporary directory is made. */
  readonly parent: string;
}

interface ConductorRequest {
  readonly name: string;
  readonly nodeRpc: string;
  readonly flags: readonly string[];
}

interface Place {
  readonly process: ChildProcess;
  readonly rpc: string;
  readonly consensus: string;
}

export class NetControl implements AsyncDisposable {
  readonly #net: RealNet;
  readonly #parent: string;
  readonly #server: ReturnType<typeof Bun.serve>;
  /** By the name that the test has for them; without verifiers. */
  readonly #nodes = new Map<string, RealNode>();
  readonly #conductors = new Map<string, Place>();

  private constructor(net: RealNet, parent: string) {
    this.#net = net;
    this.#parent = parent;
    this.#server = Bun.serve({
      hostname: HOST,
      port: 0,
      // A cluster of conductors needs longer than Bun's ten seconds.
      idleTimeout: 255,
      fetch: (request) => this.#answer(request),
    });
  }

  static async start({ geth, opNode, conductors, isFormed, parent }: NetControlOptions): Promise<NetControl> {
    const conductor = ({ at }: RealNode): readonly string[] => conductors[at] ?? [];
    const net = await RealNet.start({ geth, opNode, conductor, parent, hasConductors: isFormed, verifiers: 1 });
    return new NetControl(net, parent);
  }

  get url(): string {
    return this.#server.url.origin;
  }

  /** The end of every conductor's log, for a test that failed. */
  logs(bytes: number): string {
    const places = [...this.#conductors].map(([name, { process }]) => ({ name, process }));
    const formed = this.#net.nodes.map(({ id, conductor }) => ({ name: id, process: conductor }));
    const all = places.length === 0 ? formed : places;
    return all.map(({ name, process }) => `${name}:\n${process.log().slice(-bytes)}`).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    await Promise.all([...this.#conductors.values()].map(({ process }) => process.kill()));
    await this.#net[Symbol.asyncDispose]();
  }

  async #answer(request: Request): Promise<Response> {
    try {
      const body = (await request.json()) as never;
      switch (new URL(request.url).pathname) {
        case '/net':
          return Response.json(this.#netFor(body));
        case '/cluster':
          return Response.json(this.#cluster());
        case '/conductor':
          return Response.json(await this.#startConductor(body));
        case '/stop':
          return Response.json(await this.#stop(body));
        default:
          return new Response('no such request', { status: 404 });
      }
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
    }
  }

  /** Names come in any order: sorted, they are those of the nodes in order. */
  #netFor({ sequencers, verifiers }: { sequencers: readonly string[]; verifiers: readonly string[] }): object {
    const { nodes, verifiers: followers, rollupFile } = this.#net;
    for (const [at, name] of sequencers.toSorted().entries()) this.#nodes.set(name, nodes[at] as RealNode);
    const named = [...this.#nodes, ...verifiers.map((name, at) => [name, followers[at] as RealNode] as const)];
    const places = named.map(([name, { executionUrl, nodeUrl }]) => [name, { execution: executionUrl, node: nodeUrl }]);
    return {
      l1: nodes[0]?.l1Url,
      rollup: JSON.parse(readFileSync(rollupFile, 'utf8')) as object,
      nodes: Object.fromEntries(places) as object,
    };
  }

  #cluster(): object {
    const conductors = this.#net.nodes.map(({ id, conductorUrl, raftAddress }) => {
      return { id, rpc: conductorUrl, consensus: raftAddress };
    });
    return { chainId: L2_CHAIN_ID, conductors };
  }

  /** Where its name is that of a sequencer, at the address that this one's op-node asks. */
  async #startConductor({ name, nodeRpc, flags }: ConductorRequest): Promise<object> {
    const node = this.#nodes.get(name);
    const place = node === undefined ? this.#besideAnother(name, nodeRpc, flags) : placeOf(node);
    node?.startConductorWith(flags);
    this.#conductors.set(name, place);
    await waitFor(`the conductor ${name} to answer`, WAIT_MS_MAX, () => {
      place.process.requireAlive();
      return callRpc(place.rpc, 'conductor_paused').then(() => true);
    });
    return { id: name, rpc: place.rpc, consensus: place.consensus };
  }

  /** A conductor more, beside the op-node and op-geth of a sequencer that has one. */
  #besideAnother(name: string, nodeRpc: string, flags: readonly string[]): Place {
    const node = this.#net.nodes.find(({ nodeUrl }) => nodeUrl === nodeRpc);
    if (node === undefined) throw new Error(`no sequencer of the net has its op-node at ${nodeRpc}`);
    const [raft, rpc, websocket] = freePorts(3) as [number, number, number];
    const process = new ChildProcess(`${name} conductor`, join(this.#parent, `${name}-${rpc}.log`));
    process.start(node.conductorWords({ raft, rpc, websocket }, flags));
    return { process, rpc: `http://${HOST}:${rpc}`, consensus: `${HOST}:${raft}` };
  }

  /** As a service manager does it: SIGTERM, and nothing for what has ended already. */
  async #stop({ kind, name }: { readonly kind: string; readonly name: string }): Promise<object> {
    const process = kind === 'op-node' ? this.#nodes.get(name)?.opNode : this.#conductors.get(name)?.process;
    if (process === undefined) throw new Error(`there is no ${kind} ${name}`);
    await process.end('SIGTERM');
    return {};
  }
}

function placeOf({ conductor, conductorUrl, raftAddress }: RealNode): Place {
  return { process: conductor, rpc: conductorUrl, consensus: raftAddress };
}
