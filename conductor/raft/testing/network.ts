/**
 * A seeded network for tests of the core that keeps the transport port's promises: requests of one channel arrive and
 * are answered in order on one connection, an unanswered request fails at its deadline and closes its connection, dead
 * processes refuse and reset. Links can be cut silently in one direction, and connections can be lost half-way.
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
  readonly from: End;
  readonly to: End;
  isOpen: boolean;
  /** Requests waiting for answers: inbound id at the receiver → request id at the sender. */
  readonly waiting: Map<number, number>;
  clearsAtMs: number;
}

export interface NetworkHost {
  /** The present life of a server, null while it is down. */
  lifeOf(id: string): number | null;
  /** Hands an event to a server, unless that life is over. */
  deliver(to: End, event: RaftEvent): void;
}

export class Network {
  readonly #time: VirtualTime;
  readonly #host: NetworkHost;
  readonly #delay: () => number;
  readonly #connections = new Map<string, Connection>();
  readonly #inbound = new Map<number, Connection>();
  readonly #cut = new Set<string>();
  #nextId = 1;

  constructor(time: VirtualTime, host: NetworkHost, delay: () => number) {
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
    const fail = (reason: 'refused' | 'timeout'): void =>
      this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason });
    const open = this.#openConnection(from, message);
    if (this.#cut.has(`${from.id}>${message.peerId}`)) {
      if (!open) return this.#time.after(timeoutMs, () => fail('timeout'));
    } else if (!open && this.#host.lifeOf(message.peerId) === null) {
      return this.#time.after(this.#delay(), () => fail('refused'));
    }
    const connection = open ?? this.#connect(from, message);
    const inboundId = this.#nextId++;
    connection.waiting.set(inboundId, requestId);
    this.#inbound.set(inboundId, connection);
    this.#time.after(timeoutMs, () => {
      if (connection.isOpen && connection.waiting.has(inboundId)) this.#close(connection, 'timeout');
    });
    if (this.#cut.has(`${from.id}>${message.peerId}`)) return;
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + this.#delay());
    const { request } = message;
    this.#time.after(connection.clearsAtMs - this.#time.nowMs, () =>
      this.#host.deliver(connection.to, { kind: 'request', connectionId: connection.id, inboundId, request }),
    );
  }

  reply(inboundId: number, response: RpcResponse): void {
    const connection = this.#inbound.get(inboundId);
    const requestId = connection?.waiting.get(inboundId);
    if (!connection?.isOpen || requestId === undefined) return;
    if (this.#cut.has(`${connection.to.id}>${connection.from.id}`)) return;
    connection.clearsAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + this.#delay());
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
    return held?.isOpen ? held : null;
  }

  #connect(from: End, message: OutboundRequest): Connection {
    const connection = {
      id: this.#nextId++,
      from,
      to: { id: message.peerId, life: this.#host.lifeOf(message.peerId)! },
      isOpen: true,
      waiting: new Map<number, number>(),
      clearsAtMs: this.#time.nowMs,
    };
    this.#connections.set(this.#key(from, message), connection);
    return connection;
  }

  /** Both ends learn of a closed connection; across a cut link the receiver does not. */
  #close(connection: Connection, reason: 'reset' | 'timeout' = 'reset'): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    const { from, to } = connection;
    const isCut = this.#cut.has(`${from.id}>${to.id}`) || this.#cut.has(`${to.id}>${from.id}`);
    for (const [inboundId, requestId] of connection.waiting) {
      this.#inbound.delete(inboundId);
      this.#time.after(this.#delay(), () =>
        this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason }),
      );
    }
    if (isCut) return;
    const closesAtMs = Math.max(connection.clearsAtMs, this.#time.nowMs + this.#delay());
    this.#time.after(closesAtMs - this.#time.nowMs, () =>
      this.#host.deliver(to, { kind: 'inboundClosed', connectionId: connection.id }),
    );
  }
}
