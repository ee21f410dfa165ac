/**
 * A cluster of stand-ins for tests of the console: servers that answer what the console asks and publish the events of a
 * conductor, moved by the test. Real sockets, no raft: what the console makes of what it is told is what is tested.
 */
import { EventRing } from '#conductor/adapters/events/event-ring';
import { EventStreams } from '#conductor/adapters/events/event-stream';
import type { PublishedEvent } from '#conductor/core/published-event';
import { bareServer, type ClusterConfig } from '#conductor/operate/cluster-config';

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** One server. It can be made to fall silent, and to publish no events, as an op-conductor. */
class StandIn {
  readonly id: string;
  readonly ring: EventRing;
  readonly #cluster: StandInCluster;
  readonly #server: Bun.Server<undefined>;
  #streams: EventStreams;
  isGone = false;
  isHealthy = true;
  isPaused = false;
  isOverridden = false;
  /** What it was told to do. */
  readonly told: string[] = [];

  constructor(id: string, cluster: StandInCluster) {
    this.id = id;
    this.#cluster = cluster;
    this.ring = new EventRing({ server: id, version: 'v0.1.0', now: () => performance.now(), unixMs: Date.now });
    this.#streams = this.#newStreams();
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  publish(event: PublishedEvent): void {
    if (!this.isGone) this.ring.publish(event);
  }

  /** Answers nothing any more, and its streams break. */
  fallSilent(): void {
    this.isGone = true;
    this.#streams.close();
  }

  comeBack(): void {
    this.isGone = false;
    this.#streams = this.#newStreams();
  }

  async stop(): Promise<void> {
    this.#streams.close();
    await this.#server.stop(true);
  }

  #newStreams(): EventStreams {
    return new EventStreams({ ring: this.ring, now: () => performance.now(), shed: () => undefined });
  }

  async #answer(request: Request): Promise<Response> {
    if (this.isGone) return new Response('gone', { status: 502 });
    const { pathname } = new URL(request.url);
    const isPublishing = this.#cluster.publishes(this.id);
    if (pathname === '/readyz' && isPublishing) return new Response('ready\n');
    if (pathname === '/events' && isPublishing) return this.#streams.answer(request.headers.get('last-event-id'), '');
    if (request.method !== 'POST') return new Response('404 page not found\n', { status: 404 });
    const body = (await request.json()) as Call | Call[];
    const answer = ({ id, method, params }: Call): object => {
      return { jsonrpc: '2.0', id, result: this.#change(method, params) ?? this.#result(method) };
    };
    return Response.json(Array.isArray(body) ? body.map(answer) : answer(body));
  }

  readonly #changes: Readonly<Record<string, (params: readonly unknown[]) => void>> = {
    conductor_pause: () => void (this.isPaused = true),
    conductor_resume: () => void (this.isPaused = false),
    conductor_stop: () => this.fallSilent(),
    conductor_overrideLeader: ([isOn]) => void (this.isOverridden = isOn === true),
    conductor_transferLeaderToServer: ([to]) =>
      this.#cluster.elect(this.#cluster.servers.findIndex(({ id }) => id === to)),
    conductor_removeServer: ([gone]) => {
      this.#cluster.members = this.#cluster.members.filter((id) => id !== gone);
    },
  };

  /** Carries out what changes something; undefined for what does not. */
  #change(method: string, params: readonly unknown[]): null | undefined {
    const change = this.#changes[method];
    if (change === undefined) return undefined;
    this.told.push(`${method} ${params.join(' ')}`.trim());
    change(params);
    return null;
  }

  #result(method: string): unknown {
    const { leader, number, members } = this.#cluster;
    const isLeader = leader === this;
    switch (method) {
      case 'health_status':
        return 'v0.1.0';
      case 'conductor_leader':
        return isLeader || this.isOverridden;
      case 'admin_sequencerActive':
        return isLeader;
      case 'conductor_leaderWithID':
        return { id: leader?.id ?? '', addr: '', suffrage: 0 };
      case 'conductor_paused':
        return this.isPaused;
      case 'conductor_stopped':
        return false;
      case 'conductor_leaderOverridden':
        return this.isOverridden;
      case 'conductor_active':
        return true;
      case 'conductor_sequencerHealthy':
        return this.isHealthy;
      case 'conductor_clusterMembership':
        return { version: 7, servers: members.map((id) => ({ id, addr: `${id}:50050`, suffrage: 0 })) };
      case 'optimism_syncStatus':
        return { unsafe_l2: { number, hash: hashOf(number), timestamp: this.#cluster.genesisSeconds + number } };
      default:
        return null;
    }
  }
}

export interface StandInOptions {
  readonly name?: string;
  readonly ids?: readonly string[];
  /** Those that publish events, true for all; the others are as op-conductors, which publish nothing. */
  readonly hasEvents?: boolean | readonly string[];
}

export class StandInCluster implements AsyncDisposable {
  readonly name: string;
  readonly servers: readonly StandIn[];
  readonly #hasEvents: boolean | readonly string[];
  leader: StandIn | null = null;
  /** Ids of its voters. */
  members: readonly string[];
  number = 0;
  /** Timestamp of block 0, Unix seconds; there is a block for each second, whenever it is committed. */
  genesisSeconds = Math.floor(Date.now() / 1000);
  term = 1;

  constructor({ name = 'mainnet', ids = ['node-1', 'node-2', 'node-3'], hasEvents = true }: StandInOptions = {}) {
    this.name = name;
    this.#hasEvents = hasEvents;
    this.members = ids;
    this.servers = ids.map((id) => new StandIn(id, this));
  }

  publishes(id: string): boolean {
    return typeof this.#hasEvents === 'boolean' ? this.#hasEvents : this.#hasEvents.includes(id);
  }

  /** Its cluster file, as the operators' tool reads it, with a command that deploys. */
  clusterFile(deploy: string): string {
    const rows = this.servers.map(({ id, url }) => {
      const lines = [`id = "${id}"`, `conductor = "${url}"`, `consensus = "${id}:50050"`, `deploy = '''${deploy}'''`];
      return ['[[server]]', ...lines].join('\n');
    });
    return [`name = "${this.name}"`, ...rows].join('\n\n');
  }

  get config(): ClusterConfig {
    return { name: this.name, path: null, servers: this.servers.map(({ id, url }) => bareServer(id, url)) };
  }

  /** A server wins an election; its sequencer is started by the steps of a conductor. */
  elect(at: number): void {
    const server = this.servers[at]!;
    this.term += 1;
    const { term } = this;
    if (this.leader !== null) server.publish({ kind: 'role', role: 'candidate', term, reason: 'the leader is gone' });
    server.publish({ kind: 'role', role: 'leader', term, reason: 'elected' });
    this.leader = server;
    for (const one of this.servers) one.publish({ kind: 'leader', leader: server.id, term });
    server.publish({ kind: 'confirmed', confirmed: true, message: '' });
    server.publish({ kind: 'order', order: 'start', target: '', payloads: 0 });
    server.publish({ kind: 'orderDone', order: 'start', done: true, message: '', ms: 3 });
  }

  /** The next block is committed, on all that answer. */
  commit(): void {
    this.number += 1;
    this.tell();
  }

  /** All that answer tell that the newest block is committed. */
  tell(): void {
    const timestamp = this.genesisSeconds + this.number;
    const event = { kind: 'commit', number: this.number, hash: hashOf(this.number), timestamp, blocks: 1 } as const;
    for (const server of this.servers) server.publish(event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.stop();
  }
}
