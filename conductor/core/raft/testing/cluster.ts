/**
 * A cluster of RaftNodes in virtual time for tests of the core: servers that crash, freeze and come back with what
 * their stores made durable, on the network of network.ts. Every step checks the laws of laws.ts.
 */
import type { RaftCommand, RaftNotice, RaftOptions, RaftResult } from '../events.ts';
import { RaftNode } from '../node.ts';
import { RAFT_DEFAULTS } from '../options.ts';
import type { RaftStatus } from '../status.ts';
import { Suffrage, type RpcRequest } from '../types.ts';
import { GoLikeNode } from './go-like-node.ts';
import type { Laws } from './laws.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';
import { ServerHost, uniform } from './server-host.ts';
import { TestServer } from './server.ts';
import { seeded } from './virtual-time.ts';

export interface TestClusterOptions {
  readonly seed?: number;
  readonly size?: number;
  readonly raft?: Partial<RaftOptions>;
  /** One-way delay in ms, once the cluster has formed. */
  readonly delayMs?: { min: number; max: number };
  /** While servers join as well: what it is when a cluster has formed may come in the middle of a heartbeat. */
  readonly isSlowFromTheStart?: boolean;
  /** The same of one message between two servers, where that is not uniform; `random` is in [0, 1). */
  readonly linkMs?: (from: string, to: string, random: () => number) => number;
  /** A new connection costs a round trip before its first byte, once the cluster has formed; default false. */
  readonly handshakes?: boolean;
  /** How long a write keeps its server from all else, once the cluster has formed; default 0. */
  readonly writeMs?: (random: () => number) => number;
  /** Ids of servers that look and lead like hashicorp's. */
  readonly goLike?: readonly string[];
  /** Ids of servers that know nothing of learned election timeouts, as an older release. */
  readonly older?: readonly string[];
  /** How often a server handles what else comes in the same moment before it drains, as a host under load does; 0..1, default 0. */
  readonly batching?: number;
}

type WithoutId<Command> = Command extends RaftCommand ? Omit<Command, 'requestId'> : never;

export class TestCluster {
  readonly #host: ServerHost;
  readonly #random: () => number;
  readonly #raft: Partial<RaftOptions>;
  readonly #goLike: readonly string[];
  readonly #older: readonly string[];
  #nextRequestId = 1;

  constructor(options: TestClusterOptions = {}) {
    this.#random = seeded(options.seed ?? 1);
    this.#raft = options.raft ?? {};
    this.#goLike = options.goLike ?? [];
    this.#older = options.older ?? [];
    this.#host = new ServerHost(this.#random, options.batching ?? 0);
    for (let i = 1; i <= (options.size ?? 3); i++) this.#host.servers.set(`n${i}`, new TestServer(`n${i}`));
  }

  /** Starts everybody, bootstraps n1 and adds the others as voters; returns when none is recovering any more. */
  static async form(options: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = new TestCluster(options);
    for (const id of cluster.servers.keys()) cluster.start(id);
    cluster.command('n1', { kind: 'bootstrap', servers: [{ id: 'n1', address: 'n1:1', suffrage: Suffrage.voter }] });
    cluster.runUntil(() => cluster.leader() === 'n1');
    if (options.delayMs && options.isSlowFromTheStart) cluster.#host.linkMs = uniform(options.delayMs);
    for (const id of [...cluster.servers.keys()].slice(1)) cluster.addVoter('n1', id);
    cluster.runUntil(() => [...cluster.servers.keys()].every((id) => !cluster.status(id)?.isRecovering));
    if (options.delayMs) cluster.#host.linkMs = uniform(options.delayMs);
    if (options.linkMs) cluster.#host.linkMs = options.linkMs;
    cluster.#host.network.handshakes = options.handshakes ?? false;
    if (options.writeMs) cluster.#host.writeMs = options.writeMs;
    return cluster;
  }

  get servers(): ReadonlyMap<string, TestServer> {
    return this.#host.servers;
  }

  get results(): Map<number, RaftResult> {
    return this.#host.results;
  }

  get notices(): { id: string; notice: RaftNotice }[] {
    return this.#host.notices;
  }

  get laws(): Laws {
    return this.#host.laws;
  }

  get nowMs(): number {
    return this.#host.nowMs;
  }

  addVoter(leader: string, id: string): void {
    const deadlineMs = this.nowMs + 10_000;
    for (;;) {
      const server = { id, address: `${id}:1`, suffrage: Suffrage.voter };
      const requestId = this.command(leader, { kind: 'addServer', ...server, previousIndex: 0 });
      this.runUntil(() => this.results.has(requestId));
      const result = this.results.get(requestId)!;
      if (result.kind === 'done') return;
      if (this.nowMs > deadlineMs) throw new Error(`could not add ${id}: ${JSON.stringify(result)}`);
      this.run(20);
    }
  }

  /** A new server, started with an empty store. */
  add(id: string): void {
    this.#host.servers.set(id, new TestServer(id));
    this.start(id);
  }

  start(id: string): void {
    const server = this.servers.get(id)!;
    server.machine = new ListMachine();
    server.life++;
    const age = this.#older.includes(id) ? { learnedTimeouts: false } : {};
    const options: RaftOptions = { ...RAFT_DEFAULTS, ...this.#raft, ...age, id, address: server.address };
    const ports = {
      store: server.store,
      stateMachine: server.machine,
      random: { next: this.#random },
      wallClock: { unixMs: () => 1_700_000_000_000 + this.nowMs, aheadMs: () => 1_700_000_000_000 },
      version: 'test',
    };
    const Node = this.#goLike.includes(id) ? GoLikeNode : RaftNode;
    this.#host.open(server, new Node(options, ports, this.nowMs));
  }

  /** kill −9: connections are closed by the kernel, what was not written is gone. */
  crash(id: string): void {
    this.#host.crash(this.servers.get(id)!);
  }

  /** Dies right after its next write became durable, before anything that depends on it leaves. */
  crashAfterWrite(id: string): void {
    this.servers.get(id)!.diesAfterWrite = true;
  }

  /** An empty disk: whatever this server had promised is forgotten. */
  wipe(id: string): void {
    this.servers.get(id)!.store = new MemoryStore();
    this.laws.forget(id);
  }

  freeze(id: string): void {
    this.servers.get(id)!.frozen = true;
  }

  thaw(id: string): void {
    this.#host.thaw(this.servers.get(id)!);
  }

  cut(a: string, b: string): void {
    this.#host.network.cut(a, b);
  }

  /** No entries get to a server, but all else does, until it is fed again. */
  starve(id: string): void {
    this.#host.network.starved.add(id);
  }

  feed(id: string): void {
    this.#host.network.starved.delete(id);
    for (const other of this.servers.keys()) this.#host.network.lose(other, id);
  }

  /** Cuts both ways between a server and all others. */
  isolate(id: string): void {
    for (const other of this.servers.keys()) {
      if (other === id) continue;
      this.cut(id, other);
      this.cut(other, id);
    }
  }

  heal(): void {
    this.#host.network.heal();
  }

  /** Starts a server again at another address. */
  move(id: string, address: string): void {
    if (this.servers.get(id)!.node) this.crash(id);
    this.servers.get(id)!.address = address;
    this.start(id);
  }

  /** The address of `peer` (a server, or an address of nobody) leads `from` to a third server, or to itself, until the network is healed. */
  mislead(from: string, peer: string, to: string): void {
    this.#host.network.mislead(from, this.servers.get(peer)?.address ?? peer, to);
  }

  loseConnections(a: string, b: string): void {
    this.#host.network.lose(a, b);
  }

  status(id: string): RaftStatus | null {
    return this.servers.get(id)?.node?.status() ?? null;
  }

  /** The live leader of the highest term. */
  leader(): string | null {
    let best: RaftStatus | null = null;
    for (const server of this.servers.values()) {
      const status = server.node && !server.frozen ? server.node.status() : null;
      if (status?.role === 'leader' && (!best || status.term > best.term)) best = status;
    }
    return best?.id ?? null;
  }

  command(id: string, command: WithoutId<RaftCommand>): number {
    const requestId = this.#nextRequestId++;
    const server = this.servers.get(id)!;
    if (server.node && !server.frozen) {
      this.laws.asked(id, requestId, command);
      this.#host.handle(server, { ...command, requestId } as RaftCommand);
    } else this.results.set(requestId, { kind: 'refused', requestId, reason: 'not-leader', message: 'down' });
    return requestId;
  }

  /** A request from nobody of the cluster arrives at a server, on a connection of its own; nobody reads the answer. */
  inject(id: string, request: RpcRequest): void {
    const server = this.servers.get(id)!;
    const inboundId = -this.#nextRequestId++;
    this.#host.deliver(server, { kind: 'request', connectionId: inboundId, inboundId, request });
    this.#host.deliver(server, { kind: 'inboundClosed', connectionId: inboundId });
  }

  propose(id: string, text: string): number {
    return this.command(id, { kind: 'propose', data: new TextEncoder().encode(text) });
  }

  /** Lets `ms` of virtual time pass. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.#host.step(untilMs));
    this.#host.time.nowMs = untilMs;
  }

  /** Runs until `condition` holds; throws after `withinMs` of virtual time. */
  runUntil(condition: () => boolean, withinMs = 20_000): void {
    const untilMs = this.nowMs + withinMs;
    while (!condition()) {
      if (!this.#host.step(untilMs))
        throw new Error(`condition not met within ${withinMs} ms: ${condition.toString()}`);
    }
  }
}
