/**
 * The connections to all peers: one per peer and channel, dialled when first needed and kept; a
 * snapshot gets one of its own, closed after the answer, as its bytes would hold up all else.
 */
import type { Channel, FailureReason, OutboundRequest } from '#conductor/core/ports';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { messageOf } from '#conductor/core/errors';
import { OutboundConnection, type OutboundContext } from './outbound-connection.ts';

interface Peer {
  readonly kept: Map<Channel, OutboundConnection>;
  readonly snapshots: Set<OutboundConnection>;
}

export class Outbound {
  readonly #peers = new Map<string, Peer>();
  readonly #context: OutboundContext;
  readonly #deadlineAt: (dueMs: number) => void;
  #isClosed = false;

  /** `deadlineAt` is told of each new deadline, monotonic milliseconds. */
  constructor(context: Omit<OutboundContext, 'ended'>, deadlineAt: (dueMs: number) => void) {
    this.#context = { ...context, ended: (connection) => this.#ended(connection) };
    this.#deadlineAt = deadlineAt;
  }

  send(message: OutboundRequest): void {
    if (this.#isClosed) return this.#refuse(message, 'cancelled', 'the transport is closed');
    if (message.needsOpen && !this.#kept(message)?.isOpen)
      return this.#refuse(message, 'reset', `no connection to ${message.peerId} is open`);
    let chunks: readonly Uint8Array[];
    try {
      chunks = encodeRequest(message.request);
    } catch (error) {
      return this.#refuse(message, 'cancelled', messageOf(error));
    }
    const deadlineMs = this.#context.now() + message.timeoutMs;
    const connection = this.#connectionFor(message);
    if (!connection.send(message, chunks, deadlineMs)) {
      return this.#refuse(message, 'overflow', `${connection.queuedBytes} bytes to ${message.peerId} are not sent yet`);
    }
    this.#deadlineAt(deadlineMs);
  }

  /** Fails overdue requests; returns the earliest deadline left, or Infinity. */
  expire(nowMs: number): number {
    let earliest = Infinity;
    for (const connection of this.#all()) earliest = Math.min(earliest, connection.expire(nowMs));
    return earliest;
  }

  forget(peerId: string): void {
    const peer = this.#peers.get(peerId);
    if (peer === undefined) return;
    for (const connection of [...peer.kept.values(), ...peer.snapshots]) {
      connection.fail({ reason: 'cancelled', message: `connections to ${peerId} were dropped` });
    }
  }

  /** Closes all connections; later sends fail. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all()) connection.fail({ reason: 'cancelled', message: 'the transport was closed' });
  }

  #connectionFor(message: OutboundRequest): OutboundConnection {
    let peer = this.#peers.get(message.peerId);
    if (peer === undefined) {
      peer = { kept: new Map(), snapshots: new Set() };
      this.#peers.set(message.peerId, peer);
    }
    if (message.channel === 'snapshot') {
      const connection = new OutboundConnection(message, this.#context);
      peer.snapshots.add(connection);
      return connection;
    }
    const found = this.#kept(message);
    if (found) return found;
    const kept = peer.kept.get(message.channel);
    const connection = new OutboundConnection(message, this.#context);
    peer.kept.set(message.channel, connection);
    kept?.fail({ reason: 'cancelled', message: `${message.peerId} is dialled again at ${message.address}` });
    return connection;
  }

  /** The connection of its channel that leads where it is to go. */
  #kept({ peerId, channel, address }: OutboundRequest): OutboundConnection | null {
    const kept = this.#peers.get(peerId)?.kept.get(channel);
    return kept?.address === address && !kept.isOutdated ? kept : null;
  }

  #refuse(message: OutboundRequest, reason: FailureReason, text: string): void {
    this.#context.metrics.requestFailed(reason);
    this.#context.emit({ kind: 'failed', requestId: message.requestId, reason, message: text });
  }

  #ended(connection: OutboundConnection): void {
    const peer = this.#peers.get(connection.peerId);
    if (peer === undefined) return;
    peer.snapshots.delete(connection);
    if (peer.kept.get(connection.channel) === connection) peer.kept.delete(connection.channel);
    if (peer.kept.size === 0 && peer.snapshots.size === 0) this.#peers.delete(connection.peerId);
  }

  #all(): OutboundConnection[] {
    return [...this.#peers.values()].flatMap((peer) => [...peer.kept.values(), ...peer.snapshots]);
  }
}
