/**
 * Runs the servers of a test cluster in virtual time: the next event, what it makes a server do, and its writes, which may
 * be slow, fail or be its last.
 */
import { assert } from '../../assert.ts';
import { atOnce, Driver, type WriteFailure } from '../../drive.ts';
import type { WriteBatch } from '../../ports.ts';
import type { RaftEvent, RaftNotice, RaftResult, Ready } from '../events.ts';
import type { RaftNode } from '../node.ts';
import { Laws } from './laws.ts';
import { Network } from './network.ts';
import type { TestServer } from './server.ts';
import { VirtualTime } from './virtual-time.ts';

/** A server that asks for so many ticks without time passing would keep a real host's processor busy for ever. */
const TICKS_AT_ONCE_MAX = 20;

type WriteEnded = (failure: WriteFailure | null) => void;

export class ServerHost {
  readonly servers = new Map<string, TestServer>();
  readonly results = new Map<number, RaftResult>();
  readonly notices: { id: string; notice: RaftNotice }[] = [];
  readonly laws = new Laws();
  readonly time = new VirtualTime();
  readonly network: Network;
  /** One-way delay of a message, milliseconds. */
  linkMs: (from: string, to: string, random: () => number) => number = uniform({ min: 0.1, max: 2 });
  /** How long a write keeps its server from all else, milliseconds. */
  writeMs: (random: () => number) => number = () => 0;
  readonly #random: () => number;
  readonly #batching: number;

  /** `batching` is how often a server handles what else comes in the same moment before it drains, 0..1. */
  constructor(random: () => number, batching: number) {
    this.#random = random;
    this.#batching = batching;
    const host = {
      listensAt: (address: string) =>
        [...this.servers.values()].find((server) => server.address === address)?.id ?? null,
      lifeOf: (id: string) => (this.servers.get(id)?.node ? this.servers.get(id)!.life : null),
      deliver: (to: { id: string; life: number }, event: RaftEvent) => this.deliver(to, event),
    };
    this.network = new Network(this.time, host, (from, to) => this.linkMs(from, to, random));
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  /** A server's process begins. */
  open(server: TestServer, node: RaftNode): void {
    server.node = node;
    server.driver = this.#driverOf(server, node);
    this.#drain(server);
  }

  /** kill −9: connections are closed by the kernel, what was not written is gone. */
  crash(server: TestServer): void {
    server.node = null;
    server.driver?.stop();
    this.laws.crashed(server.id);
    server.frozen = false;
    server.backlog = [];
    server.mustDrain = false;
    server.diesAfterWrite = false;
    this.network.closeAllOf(server.id);
  }

  thaw(server: TestServer): void {
    server.frozen = false;
    const events = server.backlog;
    server.backlog = [];
    for (const [at, event] of events.entries()) {
      // What it does first may be its death, or a write that makes the rest wait on.
      if (server.frozen) {
        server.backlog = [...events.slice(at), ...server.backlog];
        return;
      }
      if (server.node) this.handle(server, event);
    }
  }

  /** The next event in time: a message or a node's deadline. */
  step(untilMs: number): boolean {
    let next: TestServer | null = null;
    let atMs = this.time.nextMs;
    for (const server of this.servers.values()) {
      if (!server.node || server.frozen) continue;
      const deadlineMs = Math.max(this.nowMs, server.node.nextDeadlineMs());
      if (deadlineMs >= atMs) continue;
      next = server;
      atMs = deadlineMs;
    }
    if (atMs === Infinity || atMs > untilMs) return false;
    if (!next) {
      this.time.runNext();
      return true;
    }
    next.ticksAtOnce = atMs > next.tickedAtMs ? 0 : next.ticksAtOnce + 1;
    next.tickedAtMs = atMs;
    assert(next.ticksAtOnce <= TICKS_AT_ONCE_MAX, `${next.id} asks to be woken again and again at ${atMs}`);
    this.time.nowMs = atMs;
    this.handle(next, { kind: 'tick' });
    return true;
  }

  /** An event for that life of a server; one that is frozen takes it later. */
  deliver(to: { id: string; life: number }, event: RaftEvent): void {
    const server = this.servers.get(to.id);
    if (!server?.node || server.life !== to.life) return;
    if (server.frozen) server.backlog.push(event);
    else this.handle(server, event);
  }

  handle(server: TestServer, event: RaftEvent): void {
    server.node!.handle(event, this.nowMs);
    if (this.#random() >= this.#batching) return this.#drain(server);
    if (server.mustDrain) return;
    server.mustDrain = true;
    this.time.after(0, () => {
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
          const writeMs = this.writeMs(this.#random);
          if (writeMs > 0) this.#writeSlowly(server, batch, ended, writeMs);
          else this.#write(server, batch, ended);
        },
      },
      transport: {
        send: (message) => this.network.send(server, message),
        reply: (inboundId, response) => this.network.reply(inboundId, response),
        forget: (peerId) => this.network.forget(server, peerId),
      },
      nowMs: () => this.nowMs,
      deliver: (ready) => this.#carryOut(server, node, ready),
    });
  }

  #write(server: TestServer, batch: WriteBatch, ended: WriteEnded): void {
    atOnce(server.store).write(batch, (failure) => {
      if (failure === null) this.laws.written(server.id, batch);
      if (failure === null && server.diesAfterWrite) this.crash(server);
      else ended(failure);
    });
  }

  /** Nothing else happens on a server while it writes. */
  #writeSlowly(server: TestServer, batch: WriteBatch, ended: WriteEnded, writeMs: number): void {
    const { life } = server;
    server.frozen = true;
    this.time.after(writeMs, () => {
      if (server.life !== life || !server.node) return;
      server.frozen = false;
      this.#write(server, batch, ended);
      if (!server.node) return;
      this.#drain(server);
      if (!server.frozen) this.thaw(server);
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

/** Any delay between two, as likely as any other. */
export function uniform({ min, max }: { min: number; max: number }) {
  return (_from: string, _to: string, random: () => number): number => min + random() * (max - min);
}
