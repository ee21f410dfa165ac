/**
 * A cluster of RaftNodes in virtual time for tests of the core: a seeded network with delays, cut links and
 * dead processes that behaves as the transport port promises (FIFO per channel, refused, reset, inboundClosed),
 * and stores that survive a crash. Every step checks the laws of laws.ts.
 */
import type { OutboundRequest } from '../../ports.ts';
import type { RaftEvent, RaftNotice, RaftOptions, RaftResult } from '../events.ts';
import { RaftNode } from '../node.ts';
import { RAFT_DEFAULTS } from '../options.ts';
import type { RaftStatus } from '../status.ts';
import { Suffrage, type RpcResponse } from '../types.ts';
import { Laws } from './laws.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';

/** A small seeded generator (mulberry32): uniform in [0, 1). */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Server {
  readonly id: string;
  readonly address: string;
  store: MemoryStore;
  machine: ListMachine;
  node: RaftNode | null;
  frozen: boolean;
  /** Events that wait while frozen. */
  backlog: RaftEvent[];
  /** Counts lives, so that messages to an earlier one are lost. */
  life: number;
}

interface Timed {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

interface Connection {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly fromLife: number;
  readonly toLife: number;
  isOpen: boolean;
  /** Requests waiting for answers: inbound id at the receiver → request id at the sender. */
  readonly waiting: Map<number, number>;
  clearsAtMs: number;
}

export interface TestClusterOptions {
  readonly seed?: number;
  readonly size?: number;
  readonly raft?: Partial<RaftOptions>;
  /** One-way delay in ms. */
  readonly delayMs?: { min: number; max: number };
}

export class TestCluster {
  readonly servers = new Map<string, Server>();
  readonly results = new Map<number, RaftResult>();
  readonly notices: { id: string; notice: RaftNotice }[] = [];
  readonly laws = new Laws();
  nowMs = 0;
  readonly #random: () => number;
  readonly #raft: Partial<RaftOptions>;
  readonly #delayMs: { min: number; max: number };
  #queue: Timed[] = [];
  #order = 0;
  readonly #connections = new Map<string, Connection>();
  readonly #inbound = new Map<number, Connection>();
  readonly #cut = new Set<string>();
  #nextId = 1;
  #nextRequestId = 1;

  constructor(options: TestClusterOptions = {}) {
    this.#random = seeded(options.seed ?? 1);
    this.#raft = options.raft ?? {};
    this.#delayMs = options.delayMs ?? { min: 0.1, max: 2 };
    for (let i = 1; i <= (options.size ?? 3); i++) this.#create(`n${i}`);
  }

  /** Starts everybody, bootstraps n1 and adds the others as voters; returns when all are followers of it. */
  static async form(options: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = new TestCluster(options);
    for (const id of cluster.servers.keys()) cluster.start(id);
    cluster.command('n1', { kind: 'bootstrap', servers: [{ id: 'n1', address: 'n1:1', suffrage: Suffrage.voter }] });
    cluster.runUntil(() => cluster.leader() === 'n1');
    for (const id of [...cluster.servers.keys()].slice(1)) cluster.addVoter('n1', id);
    cluster.runUntil(() => [...cluster.servers.keys()].every((id) => !cluster.status(id)?.isRecovering));
    return cluster;
  }

  addVoter(leader: string, id: string): void {
    const deadlineMs = this.nowMs + 10_000;
    for (;;) {
      const requestId = this.command(leader, {
        kind: 'addServer',
        id,
        address: `${id}:1`,
        suffrage: Suffrage.voter,
        previousIndex: 0,
      });
      this.runUntil(() => this.results.has(requestId));
      if (this.results.get(requestId)!.kind === 'done') return;
      if (this.nowMs > deadlineMs)
        throw new Error(`could not add ${id}: ${JSON.stringify(this.results.get(requestId))}`);
      this.run(20);
    }
  }

  #create(id: string): void {
    this.servers.set(id, {
      id,
      address: `${id}:1`,
      store: new MemoryStore(),
      machine: new ListMachine(),
      node: null,
      frozen: false,
      backlog: [],
      life: 0,
    });
  }

  add(id: string): void {
    this.#create(id);
    this.start(id);
  }

  start(id: string): void {
    const server = this.servers.get(id)!;
    server.machine = new ListMachine();
    server.life++;
    const options: RaftOptions = { ...RAFT_DEFAULTS, ...this.#raft, id, address: server.address };
    const ports = {
      store: server.store,
      stateMachine: server.machine,
      random: { next: this.#random },
      wallClock: { unixMs: () => 1_700_000_000_000 + this.nowMs },
      version: 'test',
    };
    server.node = new RaftNode(options, ports, this.nowMs);
    this.#drain(server);
  }

  /** kill −9: connections are closed by the kernel, what was not written is gone. */
  crash(id: string): void {
    const server = this.servers.get(id)!;
    server.node = null;
    server.frozen = false;
    server.backlog = [];
    for (const connection of this.#connections.values())
      if (connection.from === id || connection.to === id) this.#close(connection);
  }

  wipe(id: string): void {
    this.servers.get(id)!.store = new MemoryStore();
  }

  freeze(id: string): void {
    this.servers.get(id)!.frozen = true;
  }

  thaw(id: string): void {
    const server = this.servers.get(id)!;
    server.frozen = false;
    const events = server.backlog;
    server.backlog = [];
    for (const event of events) this.#handle(server, event);
    this.#drain(server);
  }

  /** Drops everything from a to b silently. */
  cut(a: string, b: string): void {
    this.#cut.add(`${a}>${b}`);
  }

  heal(): void {
    this.#cut.clear();
  }

  isolate(id: string): void {
    for (const other of this.servers.keys()) {
      if (other === id) continue;
      this.cut(id, other);
      this.cut(other, id);
    }
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

  command(id: string, command: { kind: string; [key: string]: unknown }): number {
    const requestId = this.#nextRequestId++;
    const server = this.servers.get(id)!;
    if (!server.node)
      this.results.set(requestId, { kind: 'refused', requestId, reason: 'not-leader', message: 'down' });
    else {
      this.#handle(server, { ...command, requestId } as unknown as RaftEvent);
      this.#drain(server);
    }
    return requestId;
  }

  propose(id: string, text: string): number {
    return this.command(id, { kind: 'propose', data: new TextEncoder().encode(text) });
  }

  /** Lets `ms` of virtual time pass. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.#step(untilMs));
    this.nowMs = untilMs;
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
    let deadline: { server: Server; atMs: number } | null = null;
    for (const server of this.servers.values()) {
      if (!server.node || server.frozen) continue;
      const atMs = Math.max(this.nowMs, server.node.nextDeadlineMs());
      if (!deadline || atMs < deadline.atMs) deadline = { server, atMs };
    }
    const next = this.#queue[0];
    if (next && next.atMs <= (deadline?.atMs ?? Infinity)) {
      if (next.atMs > untilMs) return false;
      this.#queue.shift();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.run();
      return true;
    }
    if (!deadline || deadline.atMs > untilMs) return false;
    this.nowMs = deadline.atMs;
    this.#handle(deadline.server, { kind: 'tick' });
    this.#drain(deadline.server);
    return true;
  }

  #at(delayMs: number, run: () => void): void {
    const timed = { atMs: this.nowMs + delayMs, order: this.#order++, run };
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle]!;
      if (other.atMs < timed.atMs || (other.atMs === timed.atMs && other.order < timed.order)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, timed);
  }

  #deliver(id: string, life: number, event: RaftEvent): void {
    const server = this.servers.get(id);
    if (!server?.node || server.life !== life) return;
    if (server.frozen) {
      server.backlog.push(event);
      return;
    }
    this.#handle(server, event);
    this.#drain(server);
  }

  #handle(server: Server, event: RaftEvent): void {
    server.node!.handle(event, this.nowMs);
  }

  #drain(server: Server): void {
    const node = server.node!;
    for (let ready = node.ready(); ready; ready = node.ready()) {
      for (const message of ready.sendFirst) this.#send(server, message);
      if (ready.write) {
        try {
          server.store.write(ready.write);
        } catch (error) {
          node.writeFailed(String(error));
          continue;
        }
        this.laws.written(server.id, ready.write);
        node.persisted(this.nowMs);
      }
      for (const message of ready.send) this.#send(server, message);
      for (const { inboundId, response } of ready.replies) this.#reply(inboundId, response);
      for (const result of ready.results) this.results.set(result.requestId, result);
      for (const notice of ready.notices) this.notices.push({ id: server.id, notice });
      this.laws.observe(server.id, node.status(), server.machine);
    }
  }

  #delay(): number {
    return this.#delayMs.min + this.#random() * (this.#delayMs.max - this.#delayMs.min);
  }

  #connectionFor(from: Server, message: OutboundRequest): Connection | null {
    const key = `${from.id}>${message.peerId}/${message.channel}${message.channel === 'snapshot' ? message.requestId : ''}`;
    const open = this.#connections.get(key);
    if (open?.isOpen) return open;
    const to = this.servers.get(message.peerId);
    if (!to?.node) return null;
    const connection = {
      id: this.#nextId++,
      from: from.id,
      to: to.id,
      fromLife: from.life,
      toLife: to.life,
      isOpen: true,
      waiting: new Map<number, number>(),
      clearsAtMs: this.nowMs,
    };
    this.#connections.set(key, connection);
    return connection;
  }

  #send(from: Server, message: OutboundRequest): void {
    const fail = (reason: 'refused' | 'timeout'): void =>
      this.#at(reason === 'refused' ? this.#delay() : message.timeoutMs, () =>
        this.#deliver(from.id, from.life, { kind: 'failed', requestId: message.requestId, reason, message: reason }),
      );
    if (this.#cut.has(`${from.id}>${message.peerId}`)) return fail('timeout');
    const connection = this.#connectionFor(from, message);
    if (!connection) return fail('refused');
    const inboundId = this.#nextId++;
    connection.waiting.set(inboundId, message.requestId);
    this.#inbound.set(inboundId, connection);
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.nowMs + this.#delay());
    const request =
      message.request.kind === 'append'
        ? { ...message.request, ...(message.request.entries ? { entries: [...message.request.entries] } : {}) }
        : message.request;
    this.#at(connection.clearsAtMs - this.nowMs, () => {
      if (connection.isOpen)
        this.#deliver(connection.to, connection.toLife, {
          kind: 'request',
          connectionId: connection.id,
          inboundId,
          request,
        });
    });
    this.#at(message.timeoutMs, () => {
      if (connection.isOpen && connection.waiting.has(inboundId)) this.#close(connection, 'timeout');
    });
  }

  #reply(inboundId: number, response: RpcResponse): void {
    const connection = this.#inbound.get(inboundId);
    const requestId = connection?.waiting.get(inboundId);
    if (!connection?.isOpen || requestId === undefined || this.#cut.has(`${connection.to}>${connection.from}`)) return;
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.nowMs + this.#delay());
    this.#at(connection.clearsAtMs - this.nowMs, () => {
      if (!connection.isOpen || !connection.waiting.delete(inboundId)) return;
      this.#inbound.delete(inboundId);
      this.#deliver(connection.from, connection.fromLife, { kind: 'response', requestId, response });
    });
  }

  /** Both ends learn of a closed connection; a silently cut one only by its own timeout. */
  #close(connection: Connection, reason: 'reset' | 'timeout' = 'reset'): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    const isCut =
      this.#cut.has(`${connection.from}>${connection.to}`) || this.#cut.has(`${connection.to}>${connection.from}`);
    for (const [inboundId, requestId] of connection.waiting) {
      this.#inbound.delete(inboundId);
      this.#at(this.#delay(), () =>
        this.#deliver(connection.from, connection.fromLife, { kind: 'failed', requestId, reason, message: reason }),
      );
    }
    if (!isCut)
      this.#at(this.#delay(), () =>
        this.#deliver(connection.to, connection.toLife, { kind: 'inboundClosed', connectionId: connection.id }),
      );
  }
}
