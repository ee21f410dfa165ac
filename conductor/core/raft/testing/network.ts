/**
 * A seeded network for tests of the core that keeps the transport port's promises: requests of one channel arrive and
 * are answered in order on one connection, an unanswered request fails at its deadline and closes its connection, dead
 * processes refuse and reset. Links can be cut silently in one direction, and connections can be lost half-way.
 * Requests go where their address leads, which need not be the server that is meant.
 */
import type { OutboundRequest } from '../../ports.ts';
import type { RaftEvent } from '../events.ts';
import type { RpcResponse } from '../types.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One end of a connection: a server in one of its lives. */
interface End {
  readonly id: string;
  readonly life: number;
}

interface Connection {
  readonly id: number;
  /** What was dialled. */
  readonly address: string;
  readonly from: End;
  readonly to: End;
  isOpen: boolean;
  /** Requests waiting for answers: inbound id at the receiver → request id at the sender. */
  readonly waiting: Map<number, number>;
  clearsAtMs: number;
}

export interface NetworkHost {
  /** The server that listens at an address, null for none. */
  listensAt(address: string): string | null;
  /** The present life of a server, null while it is down. */
  lifeOf(id: string): number | null;
  /** Hands an event to a server, unless that life is over. */
  deliver(to: End, event: RaftEvent): void;
}

export class Network {
  readonly #time: VirtualTime;
  readonly #host: NetworkHost;
  readonly #delay: (from: string, to: string) => number;
  readonly #connections = new Map<string, Connection>();
  readonly #inbound = new Map<number, Connection>();
  readonly #cut = new Set<string>();
  /** Servers that requests with entries get lost to. */
  readonly starved = new Set<string>();
  /** A new connection costs a round trip before its first byte, as TCP's does. */
  handshakes = false;
  /** "server>address" → the server it really reaches there. */
  readonly #misled = new Map<string, string>();
  #nextId = 1;

  /** `delay`: one-way, in ms, of one message between two servers. */
  constructor(time: VirtualTime, host: NetworkHost, delay: (from: string, to: string) => number) {
    this.#time = time;
    this.#host = host;
    this.#delay = delay;
  }

  /** Drops everything from a to b silently. */
  cut(a: string, b: string): void {
    this.#cut.add(`${a}>${b}`);
  }

  heal(): void {
    this.#cut.clear();
    for (const key of [...this.#misled.keys()]) this.#lead(key, null);
  }

  /** From now on `address` leads `from` to another server, which may be itself; open connections break. */
  mislead(from: string, address: string, to: string): void {
    this.#lead(`${from}>${address}`, to);
  }

  #lead(key: string, to: string | null): void {
    if (to === null) this.#misled.delete(key);
    else this.#misled.set(key, to);
    for (const connection of this.#connections.values())
      if (`${connection.from.id}>${connection.address}` === key) this.#close(connection);
  }

  /** The process behind `id` is gone: its kernel closes all connections. */
  closeAllOf(id: string): void {
    for (const connection of this.#connections.values())
      if (connection.from.id === id || connection.to.id === id) this.#close(connection);
  }

  /** Connections between a and b break; requests already on their way still arrive, their answers do not. */
  lose(a: string, b: string): void {
    for (const connection of this.#connections.values()) {
      const ends = [connection.from.id, connection.to.id];
      if (ends.includes(a) && ends.includes(b)) this.#close(connection);
    }
  }

  send(from: End, message: OutboundRequest): void {
    const { requestId, timeoutMs } = message;
    const fail = (reason: 'refused' | 'reset' | 'timeout' | 'unreachable'): void =>
      this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason });
    const open = this.#openConnection(from, message);
    if (message.needsOpen && !open) return this.#time.after(0, () => fail('reset'));
    const to = open?.to.id ?? this.#destination(from, message.address);
    if (to === null) return this.#time.after(this.#delay(from.id, from.id), () => fail('unreachable'));
    const isCut = this.#cut.has(`${from.id}>${to}`);
    if (isCut) {
      if (!open) return this.#time.after(timeoutMs, () => fail('timeout'));
    } else if (!open && this.#host.lifeOf(to) === null) {
      return this.#time.after(this.#delay(from.id, to), () => fail('refused'));
    }
    const connection = open ?? this.#connect(from, message, to);
    const inboundId = this.#nextId++;
    connection.waiting.set(inboundId, requestId);
    this.#inbound.set(inboundId, connection);
    this.#time.after(timeoutMs, () => {
      if (connection.isOpen && connection.waiting.has(inboundId)) this.#close(connection, 'timeout');
    });
    const { request } = message;
    const isLost = this.starved.has(to) && request.kind === 'append' && (request.entries?.length ?? 0) > 0;
    if (isCut || isLost) return;
    const handshakeMs = open || !this.handshakes ? 0 : this.#delay(from.id, to) + this.#delay(to, from.id);
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + handshakeMs + this.#delay(from.id, to));
    this.#time.after(connection.clearsAtMs - this.#time.nowMs, () =>
      this.#host.deliver(connection.to, { kind: 'request', connectionId: connection.id, inboundId, request }),
    );
  }

  reply(inboundId: number, response: RpcResponse): void {
    const connection = this.#inbound.get(inboundId);
    const requestId = connection?.waiting.get(inboundId);
    if (!connection?.isOpen || requestId === undefined) return;
    const { from, to } = connection;
    if (this.#cut.has(`${to.id}>${from.id}`)) return;
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + this.#delay(to.id, from.id));
    this.#time.after(connection.clearsAtMs - this.#time.nowMs, () => {
      if (!connection.isOpen || !connection.waiting.delete(inboundId)) return;
      this.#inbound.delete(inboundId);
      this.#host.deliver(connection.from, { kind: 'response', requestId, response });
    });
  }

  #key(from: End, { peerId, channel, requestId }: OutboundRequest): string {
    return `${from.id}>${peerId}/${channel}${channel === 'snapshot' ? requestId : ''}`;
  }

  #openConnection(from: End, message: OutboundRequest): Connection | null {
    const held = this.#connections.get(this.#key(from, message));
    if (held?.isOpen && held.address !== message.address) this.#close(held);
    return held?.isOpen ? held : null;
  }

  #destination(from: End, address: string): string | null {
    return this.#misled.get(`${from.id}>${address}`) ?? this.#host.listensAt(address);
  }

  /** Closes what a server keeps open to a peer: the next request dials again. */
  forget(from: End, peerId: string): void {
    const prefix = `${from.id}>${peerId}/`;
    for (const [key, connection] of this.#connections)
      if (key.startsWith(prefix) && connection.from.life === from.life) this.#close(connection, 'cancelled');
  }

  #connect(from: End, message: OutboundRequest, to: string): Connection {
    const connection = {
      id: this.#nextId++,
      address: message.address,
      from,
      to: { id: to, life: this.#host.lifeOf(to)! },
      isOpen: true,
      waiting: new Map<number, number>(),
      clearsAtMs: this.#time.nowMs,
    };
    this.#connections.set(this.#key(from, message), connection);
    return connection;
  }

  /** Both ends learn of a closed connection; across a cut link the receiver does not. */
  #close(connection: Connection, reason: 'reset' | 'timeout' | 'cancelled' = 'reset'): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    const { from, to } = connection;
    const isCut = this.#cut.has(`${from.id}>${to.id}`) || this.#cut.has(`${to.id}>${from.id}`);
    for (const [inboundId, requestId] of connection.waiting) {
      this.#inbound.delete(inboundId);
      this.#time.after(this.#delay(to.id, from.id), () =>
        this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason }),
      );
    }
    if (isCut) return;
    const closesAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + this.#delay(from.id, to.id));
    this.#time.after(closesAtMs - this.#time.nowMs, () =>
      this.#host.deliver(to, { kind: 'inboundClosed', connectionId: connection.id }),
    );
  }
}
