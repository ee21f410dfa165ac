/**
 * A cluster of RaftNodes in virtual time for tests of the core: servers that crash, freeze and come back with what
 * their stores made durable, on the network of network.ts. Every step checks the laws of laws.ts.
 */
import { assert } from '../../assert.ts';
import { atOnce, Driver, type WriteFailure } from '../../drive.ts';
import type { WriteBatch } from '../../ports.ts';
import type { RaftCommand, RaftEvent, RaftNotice, RaftOptions, RaftResult, Ready } from '../events.ts';
import { RaftNode } from '../node.ts';
import { RAFT_DEFAULTS } from '../options.ts';
import type { RaftStatus } from '../status.ts';
import { Suffrage, type RpcRequest } from '../types.ts';
import { GoLikeNode } from './go-like-node.ts';
import { Laws } from './laws.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';
import { Network } from './network.ts';
import { TestServer } from './server.ts';
import { seeded, VirtualTime } from './virtual-time.ts';

/** A server that asks for so many ticks without time passing would keep a real host's processor busy for ever. */
const TICKS_AT_ONCE_MAX = 20;

export interface TestClusterOptions {
  readonly seed?: number;
  readonly size?: number;
  readonly raft?: Partial<RaftOptions>;
  /** One-way delay in ms, once the cluster has formed. */
  readonly delayMs?: { min: number; max: number };
  /** The same of one message between two servers, where that is not uniform; `random` is in [0, 1). */
  readonly linkMs?: (from: string, to: string, random: () => number) => number;
  /** How long a write keeps its server from all else, once the cluster has formed; default 0. */
  readonly writeMs?: (random: () => number) => number;
  /** Ids of servers that look and lead like hashicorp's. */
  readonly goLike?: readonly string[];
  /** Ids of servers that know nothing of learned election timeouts, as an older release. */
  readonly older?: readonly string[];
  /** How often a server handles what else comes in the same moment before it drains, as a host under load does; 0..1, default 0. */
  readonly batching?: number;
}

type WriteEnded = (failure: WriteFailure | null) => void;
type WithoutId<Command> = Command extends RaftCommand ? Omit<Command, 'requestId'> : never;

export class TestCluster {
  readonly servers = new Map<string, TestServer>();
  readonly results = new Map<number, RaftResult>();
  readonly notices: { id: string; notice: RaftNotice }[] = [];
  readonly laws = new Laws();
  readonly #time = new VirtualTime();
  readonly #network: Network;
  readonly #random: () => number;
  readonly #raft: Partial<RaftOptions>;
  readonly #batching: number;
  readonly #goLike: readonly string[];
  readonly #older: readonly string[];
  #linkMs = uniform({ min: 0.1, max: 2 });
  #writeMs: (random: () => number) => number = () => 0;
  #nextRequestId = 1;

  constructor(options: TestClusterOptions = {}) {
    this.#random = seeded(options.seed ?? 1);
    this.#raft = options.raft ?? {};
    this.#batching = options.batching ?? 0;
    this.#goLike = options.goLike ?? [];
    this.#older = options.older ?? [];
    const host = {
      listensAt: (address: string) =>
        [...this.servers.values()].find((server) => server.address === address)?.id ?? null,
      lifeOf: (id: string) => (this.servers.get(id)?.node ? this.servers.get(id)!.life : null),
      deliver: (to: { id: string; life: number }, event: RaftEvent) => this.#deliver(to, event),
    };
    this.#network = new Network(this.#time, host, (from, to) => this.#linkMs(from, to, this.#random));
    for (let i = 1; i <= (options.size ?? 3); i++) this.servers.set(`n${i}`, new TestServer(`n${i}`));
  }

  /** Starts everybody, bootstraps n1 and adds the others as voters; returns when none is recovering any more. */
  static async form(options: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = new TestCluster(options);
    for (const id of cluster.servers.keys()) cluster.start(id);
    cluster.command('n1', { kind: 'bootstrap', servers: [{ id: 'n1', address: 'n1:1', suffrage: Suffrage.voter }] });
    cluster.runUntil(() => cluster.leader() === 'n1');
    for (const id of [...cluster.servers.keys()].slice(1)) cluster.addVoter('n1', id);
    cluster.runUntil(() => [...cluster.servers.keys()].every((id) => !cluster.status(id)?.isRecovering));
    if (options.delayMs) cluster.#linkMs = uniform(options.delayMs);
    if (options.linkMs) cluster.#linkMs = options.linkMs;
    if (options.writeMs) cluster.#writeMs = options.writeMs;
    return cluster;
  }

  get nowMs(): number {
    return this.#time.nowMs;
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
    this.servers.set(id, new TestServer(id));
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
    server.node = new Node(options, ports, this.nowMs);
    server.driver = this.#driverOf(server, server.node);
    this.#drain(server);
  }

  /** kill −9: connections are closed by the kernel, what was not written is gone. */
  crash(id: string): void {
    const server = this.servers.get(id)!;
    server.node = null;
    server.driver?.stop();
    this.laws.crashed(id);
    server.frozen = false;
    server.backlog = [];
    server.mustDrain = false;
    server.diesAfterWrite = false;
    this.#network.closeAllOf(id);
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
    const server = this.servers.get(id)!;
    server.frozen = false;
    const events = server.backlog;
    server.backlog = [];
    for (const [at, event] of events.entries()) {
      // What it does first may be its death, or a write that makes the rest wait on.
      if (server.frozen) {
        server.backlog = [...events.slice(at), ...server.backlog];
        return;
      }
      if (server.node) this.#handle(server, event);
    }
  }

  cut(a: string, b: string): void {
    this.#network.cut(a, b);
  }

  /** No entries get to a server, but all else does, until it is fed again. */
  starve(id: string): void {
    this.#network.starved.add(id);
  }

  feed(id: string): void {
    this.#network.starved.delete(id);
    for (const other of this.servers.keys()) this.#network.lose(other, id);
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
    this.#network.heal();
  }

  /** Starts a server again at another address. */
  move(id: string, address: string): void {
    if (this.servers.get(id)!.node) this.crash(id);
    this.servers.get(id)!.address = address;
    this.start(id);
  }

  /** The address of `peer` (a server, or an address of nobody) leads `from` to a third server, or to itself, until the network is healed. */
  mislead(from: string, peer: string, to: string): void {
    this.#network.mislead(from, this.servers.get(peer)?.address ?? peer, to);
  }

  loseConnections(a: string, b: string): void {
    this.#network.lose(a, b);
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
      this.#handle(server, { ...command, requestId } as RaftCommand);
    } else this.results.set(requestId, { kind: 'refused', requestId, reason: 'not-leader', message: 'down' });
    return requestId;
  }

  /** A request from nobody of the cluster arrives at a server, on a connection of its own; nobody reads the answer. */
  inject(id: string, request: RpcRequest): void {
    const server = this.servers.get(id)!;
    const inboundId = -this.#nextRequestId++;
    this.#deliver(server, { kind: 'request', connectionId: inboundId, inboundId, request });
    this.#deliver(server, { kind: 'inboundClosed', connectionId: inboundId });
  }

  propose(id: string, text: string): number {
    return this.command(id, { kind: 'propose', data: new TextEncoder().encode(text) });
  }

  /** Lets `ms` of virtual time pass. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.#step(untilMs));
    this.#time.nowMs = untilMs;
  }

  /** Runs until `condition` holds; throws after `withinMs` of virtual time. */
  runUntil(condition: () => boolean, withinMs = 20_000): void {
    const untilMs = this.nowMs + withinMs;
    while (!condition()) {
      if (!this.#step(untilMs)) throw new Error(`condition not met within ${withinMs} ms: ${condition.toString()}`);
    }
  }

  /** The next event in time: a message or a node's deadline. */
  #step(untilMs: number): boolean {
    let next: TestServer | null = null;
    let atMs = this.#time.nextMs;
    for (const server of this.servers.values()) {
      if (!server.node || server.frozen) continue;
      const deadlineMs = Math.max(this.nowMs, server.node.nextDeadlineMs());
      if (deadlineMs >= atMs) continue;
      next = server;
      atMs = deadlineMs;
    }
    if (atMs === Infinity || atMs > untilMs) return false;
    if (!next) {
      this.#time.runNext();
      return true;
    }
    next.ticksAtOnce = atMs > next.tickedAtMs ? 0 : next.ticksAtOnce + 1;
    next.tickedAtMs = atMs;
    assert(next.ticksAtOnce <= TICKS_AT_ONCE_MAX, `${next.id} asks to be woken again and again at ${atMs}`);
    this.#time.nowMs = atMs;
    this.#handle(next, { kind: 'tick' });
    return true;
  }

  #deliver(to: { id: string; life: number }, event: RaftEvent): void {
    const server = this.servers.get(to.id);
    if (!server?.node || server.life !== to.life) return;
    if (server.frozen) server.backlog.push(event);
    else this.#handle(server, event);
  }

  #handle(server: TestServer, event: RaftEvent): void {
    server.node!.handle(event, this.nowMs);
    if (this.#random() >= this.#batching) return this.#drain(server);
    if (server.mustDrain) return;
    server.mustDrain = true;
    this.#time.after(0, () => {
      if (server.mustDrain) this.#drain(server);
    });
  }

  #drain(server: TestServer): void {
    server.mustDrain = false;
    server.driver!.drain();
  }

  #driverOf(server: TestServer, node: RaftNode): Driver<Ready> {
    return new Driver({
      core: node,
      writer: {
        write: (batch, ended) => {
          const writeMs = this.#writeMs(this.#random);
          if (writeMs > 0) this.#writeSlowly(server, batch, ended, writeMs);
          else this.#write(server, batch, ended);
        },
      },
      transport: {
        send: (message) => this.#network.send(server, message),
        reply: (inboundId, response) => this.#network.reply(inboundId, response),
        forget: (peerId) => this.#network.forget(server, peerId),
      },
      nowMs: () => this.nowMs,
      deliver: (ready) => this.#carryOut(server, node, ready),
    });
  }

  #write(server: TestServer, batch: WriteBatch, ended: WriteEnded): void {
    atOnce(server.store).write(batch, (failure) => {
      if (failure === null) this.laws.written(server.id, batch);
      if (failure === null && server.diesAfterWrite) this.crash(server.id);
      else ended(failure);
    });
  }

  /** Nothing else happens on a server while it writes. */
  #writeSlowly(server: TestServer, batch: WriteBatch, ended: WriteEnded, writeMs: number): void {
    const { life } = server;
    server.frozen = true;
    this.#time.after(writeMs, () => {
      if (server.life !== life || !server.node) return;
      server.frozen = false;
      this.#write(server, batch, ended);
      if (!server.node) return;
      this.#drain(server);
      if (!server.frozen) this.thaw(server.id);
    });
  }

  #carryOut(server: TestServer, node: RaftNode, { results, notices }: Ready): void {
    this.laws.observe(server.id, node.status(), server.machine);
    for (const result of results) {
      this.laws.answered(result, server.machine);
      this.results.set(result.requestId, result);
    }
    for (const notice of notices) this.notices.push({ id: server.id, notice });
  }
}

function uniform({ min, max }: { min: number; max: number }) {
  return (_from: string, _to: string, random: () => number): number => min + random() * (max - min);
}
