/**
 * The network between conductors, with the promises of the transport port and of no more: requests of one
 * channel arrive and are answered in order on one connection, an unanswered one fails at its deadline and its
 * connection ends, a dead process refuses and resets if the link lets it, a silent one does not. Requests go where
 * their address leads.
 */
import type { FailureReason, OutboundRequest, TransportEvent } from '#conductor/core/ports';
import type { RpcResponse } from '#conductor/core/raft/types';
import { openConnection, type Connection, type End, type Lane } from './connection.ts';
import type { EventQueue } from './event-queue.ts';
import type { Links } from './links.ts';

/** TCP sends over a cut link again after this long, doubling, at most so long. */
const RETRY_MS = 200;
const RETRY_MAX_MS = 3200;
/** A request of so many bytes and less passes where packets of full size vanish: a heartbeat, a vote, an entry without a block. */
const SMALL_BYTES_MAX = 600;

export interface NetworkHost {
  /** Number of the server that listens at an address; −1 for none. */
  serverOf(address: string): number;
  /** The present life of a server, null while its process is down. */
  lifeOf(server: number): number | null;
  /** How long so many milliseconds of a server's own clock take, from now on. */
  worldMsOf(server: number, ownMs: number): number;
  /** Hands an event to a process, if that life is not over. */
  deliver(to: End, event: TransportEvent): void;
}

export class Network {
  readonly #queue: EventQueue;
  readonly #links: Links;
  readonly #host: NetworkHost;
  /** Those that the dialling side can use, by its key. */
  readonly #usable = new Map<string, Connection>();
  readonly #all = new Set<Connection>();
  readonly #inbound = new Map<number, Connection>();
  #nextId = 1;

  constructor(queue: EventQueue, links: Links, host: NetworkHost) {
    this.#queue = queue;
    this.#links = links;
    this.#host = host;
  }

  /** Connections that somebody believes to be open. */
  get size(): number {
    return this.#all.size;
  }

  send(from: End, message: OutboundRequest): void {
    const key = `${from.server}.${from.life}>${message.peerId}/${message.channel}${message.channel === 'snapshot' ? message.requestId : ''}`;
    const kept = this.#usable.get(key);
    if (kept !== undefined && kept.address !== message.address) this.#hangUp(kept, 'cancelled');
    const connection = this.#usable.get(key) ?? this.#dial(from, key, message);
    if (connection === null) return;
    const inboundId = this.#nextId++;
    connection.waiting.set(inboundId, {
      requestId: message.requestId,
      deadlineMs: this.#queue.nowMs + this.#host.worldMsOf(from.server, message.timeoutMs),
    });
    this.#inbound.set(inboundId, connection);
    this.#watchDeadline(connection);
    const isLarge = bytesOf(message.request) > SMALL_BYTES_MAX;
    this.#carry(connection.there, () => this.#arrived(connection, inboundId, message), isLarge);
  }

  reply(from: End, inboundId: number, response: RpcResponse): void {
    const connection = this.#inbound.get(inboundId);
    if (connection === undefined || !connection.isOpenThere || connection.to.life !== from.life) return;
    this.#carry(connection.back, () => {
      const waiting = connection.waiting.get(inboundId);
      if (!connection.isOpenHere || waiting === undefined) return;
      connection.waiting.delete(inboundId);
      this.#inbound.delete(inboundId);
      this.#host.deliver(connection.from, { kind: 'response', requestId: waiting.requestId, response });
    });
  }

  /** The accepting side hangs up. */
  closeInbound(connectionId: number): void {
    for (const connection of this.#all) {
      if (connection.id !== connectionId || !connection.isOpenThere) continue;
      connection.isOpenThere = false;
      this.#tellHere(connection);
    }
  }

  /** The dialling side hangs up on a peer that is no longer a member. */
  forget(from: End, peerId: string): void {
    for (const connection of this.#all) {
      if (connection.from.server === from.server && connection.peerId === peerId && connection.isOpenHere)
        this.#hangUp(connection, 'cancelled');
    }
  }

  /** Connections that one machine has made to the address of another break. */
  redial(from: number, to: number): void {
    for (const connection of this.#all) {
      if (connection.from.server === from && this.#host.serverOf(connection.address) === to && connection.isOpenHere)
        this.#hangUp(connection, 'reset');
    }
  }

  /** A process is gone. Its kernel closes its connections, unless the whole machine lost power. */
  ended(end: End, isSilent: boolean): void {
    for (const connection of this.#all) {
      if (connection.from.server === end.server && connection.from.life === end.life) {
        connection.isOpenHere = false;
        this.#unuse(connection);
        if (!isSilent) this.#tellThere(connection);
        this.#forgetIfClosed(connection);
      } else if (connection.to.server === end.server && connection.to.life === end.life) {
        connection.isOpenThere = false;
        if (!isSilent) this.#tellHere(connection);
      }
    }
  }

  /** Connections between two machines are reset; `isHalf`: only the accepting side is told. */
  reset(a: number, b: number, isHalf: boolean): void {
    for (const connection of this.#all) {
      const { from, to } = connection;
      const isBetween = (from.server === a && to.server === b) || (from.server === b && to.server === a);
      if (!isBetween) continue;
      if (isHalf && connection.isOpenThere) this.#closeThere(connection);
      else if (connection.isOpenHere) this.#hangUp(connection, 'reset');
    }
  }

  #dial(from: End, key: string, message: OutboundRequest): Connection | null {
    const { requestId, timeoutMs, address } = message;
    const owner = this.#host.serverOf(address);
    const fail = (reason: FailureReason): void =>
      this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason });
    if (owner < 0) {
      this.#queue.after(0, () => fail('unreachable'));
      return null;
    }
    const to = this.#links.reached(from.server, owner);
    if (this.#links.isCut(from.server, to) || this.#links.isCut(to, from.server)) {
      this.#queue.after(this.#host.worldMsOf(from.server, timeoutMs), () => fail('timeout'));
      return null;
    }
    const life = this.#host.lifeOf(to);
    if (life === null) {
      this.#queue.after(this.#links.delayMs(from.server, to) + this.#links.delayMs(to, from.server), () =>
        fail('refused'),
      );
      return null;
    }
    const connection = openConnection(this.#nextId++, key, from, { server: to, life }, message);
    // The three-way handshake is one round trip before the first byte.
    connection.there.clearsAtMs =
      this.#queue.nowMs + this.#links.delayMs(from.server, to) + this.#links.delayMs(to, from.server);
    this.#usable.set(key, connection);
    this.#all.add(connection);
    return connection;
  }

  #arrived(connection: Connection, inboundId: number, { request }: OutboundRequest): void {
    const { to } = connection;
    if (!connection.isOpenThere || this.#host.lifeOf(to.server) !== to.life) return this.#tellHere(connection);
    connection.hasCarried = true;
    this.#host.deliver(to, { kind: 'request', connectionId: connection.id, inboundId, request });
    if (!this.#links.takeRepeat(connection.from.server, to.server)) return;
    // The same bytes once more, as from a connection of their own whose answers nobody reads.
    const connectionId = this.#nextId++;
    const again = this.#nextId++;
    this.#host.deliver(to, { kind: 'request', connectionId, inboundId: again, request });
    this.#queue.after(RETRY_MS, () => this.#host.deliver(to, { kind: 'inboundClosed', connectionId }));
  }

  /** Puts a message on its lane. */
  #carry(lane: Lane, arrive: () => void, isLarge = false): void {
    const atMs = Math.max(lane.clearsAtMs, this.#queue.nowMs + this.#links.delayMs(lane.from, lane.to));
    lane.clearsAtMs = atMs;
    lane.queue.push({ atMs, isLarge, arrive });
    if (lane.isRunning) return;
    lane.isRunning = true;
    this.#queue.at(atMs, () => this.#run(lane));
  }

  #run(lane: Lane): void {
    const isHeldUp = lane.queue[0]?.isLarge === true && this.#links.isHoled(lane.from, lane.to);
    if (isHeldUp || this.#links.isCut(lane.from, lane.to)) {
      const delayMs = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** Math.min(lane.tries++, 8));
      this.#queue.after(delayMs, () => this.#run(lane));
      return;
    }
    lane.tries = 0;
    lane.queue.shift()?.arrive();
    const next = lane.queue[0];
    if (next === undefined) lane.isRunning = false;
    else this.#queue.at(next.atMs, () => this.#run(lane));
  }

  /** The end of the accepting side is news for the one that dialled. */
  #tellHere(connection: Connection): void {
    connection.isOpenThere = false;
    if (!connection.isOpenHere) return this.#forgetIfClosed(connection);
    this.#carry(connection.back, () => {
      if (connection.isOpenHere) this.#closeHere(connection, 'reset');
    });
  }

  #tellThere(connection: Connection): void {
    if (!connection.isOpenThere) return;
    this.#carry(connection.there, () => {
      if (connection.isOpenThere) this.#closeThere(connection);
    });
  }

  #hangUp(connection: Connection, reason: FailureReason): void {
    this.#closeHere(connection, reason);
    this.#tellThere(connection);
  }

  #closeHere(connection: Connection, reason: FailureReason): void {
    connection.isOpenHere = false;
    this.#unuse(connection);
    this.#forgetIfClosed(connection);
    const { from } = connection;
    const waiting = [...connection.waiting];
    connection.waiting.clear();
    for (const [inboundId, { requestId }] of waiting) {
      this.#inbound.delete(inboundId);
      this.#queue.after(0, () => this.#host.deliver(from, { kind: 'failed', requestId, reason, message: reason }));
    }
  }

  #closeThere(connection: Connection): void {
    connection.isOpenThere = false;
    this.#forgetIfClosed(connection);
    if (connection.hasCarried)
      this.#host.deliver(connection.to, { kind: 'inboundClosed', connectionId: connection.id });
  }

  #unuse(connection: Connection): void {
    if (this.#usable.get(connection.key) === connection) this.#usable.delete(connection.key);
  }

  #forgetIfClosed(connection: Connection): void {
    if (!connection.isOpenHere && !connection.isOpenThere) this.#all.delete(connection);
  }

  /** One timer per connection, for its oldest request: they are answered in order. */
  #watchDeadline(connection: Connection): void {
    if (connection.isTimed || !connection.isOpenHere) return;
    const oldest = connection.waiting.values().next().value;
    if (oldest === undefined) return;
    connection.isTimed = true;
    this.#queue.at(oldest.deadlineMs, () => {
      connection.isTimed = false;
      const late = connection.waiting.values().next().value;
      if (!connection.isOpenHere || late === undefined) return;
      if (late.deadlineMs <= this.#queue.nowMs) this.#hangUp(connection, 'timeout');
      else this.#watchDeadline(connection);
    });
  }
}

/** What a request carries beside its head. */
function bytesOf(request: OutboundRequest['request']): number {
  if (request.kind === 'append') return (request.entries ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  if (request.kind === 'snapshot') return request.data.length;
  return request.kind === 'validate' ? (request.payload?.length ?? 0) : 0;
}
