/**
 * One connection to a peer and the requests in flight on it. Requests are written in the order sent
 * and answered in that order, as hashicorp/raft's responses do not say what they answer; so when one
 * is not answered in time, nothing after it can be told apart and the connection ends.
 */
import type { Channel, FailureReason, OutboundRequest, TransportEvent } from '#conductor/core/ports';
import { messageOf } from '#conductor/core/errors';
import type { RpcRequest } from '#conductor/core/raft/types';
import { ResponseDecoder } from '#conductor/core/wire/decode-message';
import { WireError } from '#conductor/core/wire/wire-error';
import { Dial, type Resolve } from './dial.ts';
import type { Failure } from './failure.ts';
import type { TcpLimits } from './limits.ts';
import type { PlainPeers } from './plain-peers.ts';
import { SendQueue } from './send-queue.ts';
import type { TcpMetrics } from './tcp-metrics.ts';
import type { TlsSettings } from './tls.ts';

/** What the connections of one transport share. */
export interface OutboundContext {
  readonly limits: TcpLimits;
  readonly resolve: Resolve;
  readonly tls: TlsSettings | null;
  readonly plainPeers: PlainPeers;
  readonly now: () => number;
  readonly metrics: TcpMetrics;
  readonly emit: (event: TransportEvent) => void;
  /** The connection ended; called before its requests fail, so that what is sent then dials anew. */
  readonly ended: (connection: OutboundConnection) => void;
}

/** Dials in a row that are replaced as soon as they are stale; later ones get as many times as long. */
const QUICK_DIALS = 8;
/** Age at which a connection of mixed mode without TLS gives way to another try with it. */
const PLAIN_LIFE_MS = 30_000;

interface Pending {
  readonly requestId: number;
  readonly kind: RpcRequest['kind'];
  readonly deadlineMs: number;
  /** Encoded, until there is a socket to write it to. */
  chunks: readonly Uint8Array[];
  readonly bytes: number;
}

export class OutboundConnection {
  readonly peerId: string;
  readonly address: string;
  readonly channel: Channel;
  readonly #context: OutboundContext;
  readonly #decoder = new ResponseDecoder();
  readonly #queue = new SendQueue();
  #pending: Pending[] = [];
  /** Bytes waiting for the dial. */
  #heldBytes = 0;
  #dial: Dial | null = null;
  #dialledMs = -Infinity;
  #dials = 0;
  #socket: Bun.Socket<unknown> | null = null;
  #isTls = false;
  #connectedMs = 0;
  /** Did the socket take only part, so that it will say when it has room? */
  #isBlocked = false;
  #isEnded = false;

  constructor(message: Pick<OutboundRequest, 'peerId' | 'address' | 'channel'>, context: OutboundContext) {
    this.peerId = message.peerId;
    this.address = message.address;
    this.channel = message.channel;
    this.#context = context;
  }

  /** Bytes handed over and not yet taken by the socket. */
  get queuedBytes(): number {
    return this.#heldBytes + this.#queue.bytes;
  }

  /** Is it connected, and has not ended? */
  get isOpen(): boolean {
    return this.#socket !== null && !this.#isEnded;
  }

  /** Is it one of mixed mode without TLS that is idle, and old enough to be tried with TLS again? */
  get isOutdated(): boolean {
    const { tls, now } = this.#context;
    if (this.#socket === null || this.#isTls || tls?.isMixed !== true || this.#pending.length > 0) return false;
    return now() - this.#connectedMs > PLAIN_LIFE_MS;
  }

  /** Sends an encoded request; false if the queue is full. */
  send(message: OutboundRequest, chunks: readonly Uint8Array[], deadlineMs: number): boolean {
    let bytes = 0;
    for (const chunk of chunks) bytes += chunk.length;
    const queued = this.queuedBytes;
    if (queued > 0 && queued + bytes > this.#context.limits.sendQueueBytesMax) return false;
    const isWritable = this.#socket !== null;
    const { requestId } = message;
    this.#pending.push({ requestId, kind: message.request.kind, deadlineMs, chunks: isWritable ? [] : chunks, bytes });
    if (isWritable) {
      this.#enqueue(chunks, bytes);
      this.#flush();
    } else {
      this.#heldBytes += bytes;
      this.#context.metrics.queueChanged(bytes);
      if (this.#context.now() - this.#dialledMs > this.#dialTimeoutMs()) this.#startDial();
    }
    return true;
  }

  /** Fails what is overdue; returns the earliest deadline left, or Infinity. */
  expire(nowMs: number): number {
    let earliest = Infinity;
    let hasExpired = false;
    for (const one of this.#pending) {
      if (one.deadlineMs <= nowMs) hasExpired = true;
      else earliest = Math.min(earliest, one.deadlineMs);
    }
    if (!hasExpired) return earliest;
    if (this.#socket !== null) {
      this.fail({ reason: 'timeout', message: `no answer from ${this.peerId} in time` });
      return Infinity;
    }
    const expired = this.#pending.filter((one) => one.deadlineMs <= nowMs);
    this.#pending = this.#pending.filter((one) => one.deadlineMs > nowMs);
    for (const one of expired) this.#release(one.bytes);
    if (this.channel === 'snapshot') this.#end('terminate');
    for (const one of expired) this.#failed(one, 'timeout', `no connection to ${this.address} in time`);
    return earliest;
  }

  /** Ends the connection and fails all its requests. */
  fail(failure: Failure): void {
    if (this.#isEnded) return;
    this.#end(failure.reason === 'cancelled' ? 'end' : 'terminate');
    const pending = this.#pending;
    this.#pending = [];
    for (const one of pending) this.#failed(one, failure.reason, failure.message);
  }

  /** A dial that was given up holds a socket until the kernel gives up too, so their number is kept low. */
  #dialTimeoutMs(): number {
    const { dialMs } = this.#context.limits;
    return this.#dials < QUICK_DIALS ? dialMs : dialMs * QUICK_DIALS;
  }

  /** Dials, for the first time or because the dial in progress has become too old. May end the connection at once. */
  #startDial(): void {
    this.#dial?.abandon();
    this.#dial = null;
    const { resolve, tls, plainPeers, now, limits } = this.#context;
    this.#dialledMs = now();
    this.#dials += 1;
    const dial = new Dial({
      peerId: this.peerId,
      address: this.address,
      resolve,
      tls,
      skipsTls: plainPeers.has(this.peerId),
      now,
      addressMs: limits.addressMs,
      events: {
        data: (chunk) => this.#received(chunk),
        drain: () => {
          this.#isBlocked = false;
          this.#flush();
        },
        lost: (failure) => {
          plainPeers.lost(this.peerId, failure, this.#isTls);
          this.fail(failure);
        },
      },
      connected: (socket, isTls) => this.#connected(socket, isTls),
      failed: (failure) => {
        this.#context.metrics.dialFailed(failure.reason);
        this.fail(failure);
      },
    });
    if (this.#isEnded) dial.abandon();
    else this.#dial = dial;
  }

  #connected(socket: Bun.Socket<unknown>, isTls: boolean): void {
    const { limits, metrics, now } = this.#context;
    this.#dial = null;
    this.expire(now());
    if (this.#isEnded) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    this.#isTls = isTls;
    this.#connectedMs = now();
    metrics.opened('out', isTls);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, limits.keepAliveMs);
    metrics.queueChanged(-this.#heldBytes);
    this.#heldBytes = 0;
    for (const one of this.#pending) {
      this.#enqueue(one.chunks, one.bytes);
      one.chunks = [];
    }
    this.#flush();
  }

  #enqueue(chunks: readonly Uint8Array[], bytes: number): void {
    this.#queue.add(chunks);
    this.#context.metrics.queueChanged(bytes);
  }

  #flush(): void {
    const socket = this.#socket;
    if (socket === null || this.#isEnded || this.#isBlocked) return;
    const before = this.#queue.bytes;
    const result = this.#queue.flush(socket);
    if (this.#isEnded) return;
    this.#isBlocked = result === 'full';
    const written = before - this.#queue.bytes;
    this.#context.metrics.queueChanged(-written);
    this.#context.metrics.sent(written);
    if (result === 'closed') this.fail({ reason: 'reset', message: 'closed by the peer' });
  }

  #received(chunk: Uint8Array): void {
    if (this.#isEnded) return;
    this.#context.metrics.received(chunk.length);
    this.#decoder.push(chunk);
    try {
      this.#deliver();
    } catch (error) {
      this.#malformed(error instanceof WireError ? error.code : 'internal', messageOf(error));
    }
  }

  #deliver(): void {
    for (;;) {
      const head = this.#pending[0];
      if (head === undefined) break;
      const response = this.#decoder.next(head.kind);
      if (response === null) return;
      if (this.#pending.length === 1 && this.#decoder.bufferedBytes > 0) break;
      this.#pending.shift();
      if (this.channel === 'snapshot') this.#end('end');
      this.#context.emit({ kind: 'response', requestId: head.requestId, response });
      if (this.#isEnded) return;
    }
    if (this.#decoder.bufferedBytes > 0) this.#malformed('unexpected', 'an answer to nothing that was asked');
  }

  #malformed(code: string, message: string): void {
    this.#context.metrics.malformed(code);
    this.fail({ reason: 'malformed', message: `${this.peerId} answered what cannot be read: ${message}` });
  }

  #failed(one: Pending, reason: FailureReason, message: string): void {
    this.#context.metrics.requestFailed(reason);
    this.#context.emit({ kind: 'failed', requestId: one.requestId, reason, message });
  }

  #release(bytes: number): void {
    if (this.#socket !== null) return;
    this.#heldBytes -= bytes;
    this.#context.metrics.queueChanged(-bytes);
  }

  #end(how: 'end' | 'terminate'): void {
    this.#isEnded = true;
    const { metrics } = this.#context;
    metrics.queueChanged(-this.queuedBytes);
    this.#queue.clear();
    this.#heldBytes = 0;
    this.#dial?.abandon();
    this.#dial = null;
    if (this.#socket !== null) {
      metrics.closed('out', this.#isTls);
      if (how === 'end') this.#socket.end();
      else this.#socket.terminate();
    }
    this.#context.ended(this);
  }
}
