/**
 * One accepted connection: decodes requests, hands them to the core one at a time, writes the
 * replies in order. A peer that sends faster than it is answered is not read from; one that sends
 * what is no request is closed.
 */
import type { RpcRequest, RpcResponse } from '#conductor/core/raft/types';
import { messageOf } from '#conductor/core/errors';
import { RequestDecoder } from '#conductor/core/wire/decode-message';
import { encodeResponse } from '#conductor/core/wire/encode-message';
import { WireError } from '#conductor/core/wire/wire-error';
import { callerAddress } from '../system/every-interface.ts';
import { releaseChunk } from './release-chunk.ts';
import type { TcpLimits } from './limits.ts';
import { SendQueue } from './send-queue.ts';
import type { TcpMetrics } from './tcp-metrics.ts';

/** What the connections of one listener share. */
export interface InboundContext {
  readonly limits: TcpLimits;
  readonly metrics: TcpMetrics;
  readonly now: () => number;
  /** Takes a request and sets `awaitedId` until it is answered, which may be inside this call. */
  readonly deliver: (connection: InboundConnection, request: RpcRequest) => void;
  /** What the connection holds of an incomplete request changed. */
  readonly heldChanged: (change: number) => void;
  /** Input that is no request (or a reply that has no encoding); the connection is closed already. */
  readonly malformed: (connection: InboundConnection, code: string, message: string) => void;
  /** A request that names another server than the certificate; the connection is closed already. */
  readonly unauthorized: (connection: InboundConnection, message: string) => void;
}

export class InboundConnection {
  /** Unique in the process. */
  readonly id: number;
  /** The peer's address, without port; our own for TLS in mixed mode, where a relay comes in between. */
  readonly remoteAddress: string;
  readonly isTls: boolean;
  /** Has a request of it reached the core? */
  hasDelivered = false;
  /** The request the core has not answered yet. */
  awaitedId: number | null = null;
  /** Monotonic milliseconds when the request in progress (or the connection) began, and its bytes so far. */
  requestBeganMs: number;
  heldBytes = 0;
  /** When bytes came last, or the connection. */
  receivedMs: number;
  readonly #socket: Bun.Socket<unknown>;
  readonly #context: InboundContext;
  readonly #decoder = new RequestDecoder();
  readonly #queue = new SendQueue();
  /** Names on the peer's certificate; null without TLS. */
  #names: readonly string[] | null = null;
  #isReady: boolean;
  #isTaking = false;
  #isTurnOver = false;
  #isPaused = false;
  #isBlocked = false;
  #isClosed = false;

  constructor(
    socket: Bun.Socket<unknown>,
    options: { readonly id: number; readonly isTls: boolean },
    context: InboundContext,
  ) {
    this.id = options.id;
    this.remoteAddress = callerAddress(socket.remoteAddress);
    this.isTls = options.isTls;
    this.#socket = socket;
    this.#context = context;
    this.#isReady = !options.isTls;
    this.receivedMs = context.now();
    this.requestBeganMs = this.receivedMs;
  }

  /** Has the first request (or the TLS handshake), or any large one, come on too slowly? */
  isStalled(nowMs: number): boolean {
    const { firstRequestMs, progressBytesMin, largeRequestMs, readAheadBytesMax } = this.#context.limits;
    const ageMs = nowMs - this.requestBeganMs;
    if (this.heldBytes > readAheadBytesMax && this.awaitedId === null && ageMs > largeRequestMs) return true;
    if (this.hasDelivered || (this.#isReady && this.heldBytes === 0)) return false;
    const windows = Math.floor(ageMs / firstRequestMs);
    return windows > 0 && this.heldBytes < windows * progressBytesMin;
  }

  /** Has nothing come yet? */
  get isSilent(): boolean {
    return !this.hasDelivered && this.heldBytes === 0;
  }

  /** TLS only: the handshake is over, with a verified certificate of these names. */
  authorize(names: readonly string[]): void {
    this.#names = names;
    this.#isReady = true;
  }

  /** Takes bytes as they arrived, and their memory: the chunk may be empty afterwards. */
  received(chunk: Uint8Array): void {
    if (this.#isClosed || !this.#isReady) return;
    this.#context.metrics.received(chunk.length);
    this.receivedMs = this.#context.now();
    if (this.heldBytes === 0) this.requestBeganMs = this.receivedMs;
    this.#decoder.push(chunk);
    this.#take();
    if (!this.#decoder.holds(chunk)) releaseChunk(chunk);
  }

  drained(): void {
    this.#isBlocked = false;
    this.#flush();
    this.#take();
  }

  /** Answers the request the core had; `awaitedId` is null again. */
  reply(response: RpcResponse): void {
    if (this.#isClosed) return;
    let chunks: readonly Uint8Array[];
    try {
      chunks = encodeResponse(response);
    } catch (error) {
      this.close('terminate');
      this.#context.malformed(this, 'unencodable', messageOf(error));
      return;
    }
    const before = this.#queue.bytes;
    this.#queue.add(chunks);
    this.#context.metrics.queueChanged(this.#queue.bytes - before);
    this.#flush();
    if (!this.#isTaking && this.#decoder.bufferedBytes > 0) queueMicrotask(() => this.#take());
  }

  /** Closes: 'end' lets the peer read what was written, 'terminate' does not wait for it. */
  close(how: 'end' | 'terminate'): void {
    if (this.#isClosed) return;
    this.ended();
    if (how === 'end') this.#socket.end();
    else this.#socket.terminate();
  }

  /** Closes at once, even if `close` was called before and waits for the peer. */
  destroy(): void {
    this.ended();
    this.#socket.terminate();
  }

  /** The socket is gone, or about to be. */
  ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#context.metrics.queueChanged(-this.#queue.bytes);
    this.#queue.clear();
    this.#setHeld(0);
  }

  /** Hands over requests while the core is free for them. */
  #take(): void {
    if (this.#isTaking || this.#isTurnOver) return;
    this.#isTaking = true;
    try {
      this.#takeTurn();
    } catch (error) {
      this.close('terminate');
      this.#context.malformed(this, error instanceof WireError ? error.code : 'internal', messageOf(error));
    } finally {
      this.#isTaking = false;
    }
    if (this.#isClosed) return;
    this.#setHeld(this.#decoder.bufferedBytes);
    this.#pauseOrResume();
  }

  #takeTurn(): void {
    const { limits } = this.#context;
    for (let taken = 0; !this.#mustWait(); taken += 1) {
      if (taken === limits.requestsPerTurnMax) {
        this.#isTurnOver = true;
        setImmediate(() => this.#nextTurn());
        return;
      }
      const request = this.#decoder.next();
      if (request === null) return;
      if (this.#names !== null && !this.#names.includes(request.id ?? '')) {
        this.close('terminate');
        this.#context.unauthorized(
          this,
          `a request of ${request.id} came with the certificate of ${this.#names.join(', ')}`,
        );
        return;
      }
      this.hasDelivered = true;
      this.requestBeganMs = this.#context.now();
      this.#context.deliver(this, request);
    }
  }

  #nextTurn(): void {
    this.#isTurnOver = false;
    this.#take();
  }

  #mustWait(): boolean {
    return this.#isClosed || this.awaitedId !== null || this.#queue.bytes > this.#context.limits.replyBacklogBytesMax;
  }

  #pauseOrResume(): void {
    const isFull = this.heldBytes > this.#context.limits.readAheadBytesMax;
    const shouldPause = isFull && (this.#mustWait() || this.#isTurnOver);
    if (shouldPause === this.#isPaused) return;
    this.#isPaused = shouldPause;
    if (shouldPause) this.#socket.pause();
    else this.#socket.resume();
  }

  #setHeld(bytes: number): void {
    const change = bytes - this.heldBytes;
    if (change === 0) return;
    this.heldBytes = bytes;
    this.#context.heldChanged(change);
  }

  #flush(): void {
    if (this.#isClosed || this.#isBlocked) return;
    const before = this.#queue.bytes;
    const result = this.#queue.flush(this.#socket);
    if (this.#isClosed) return;
    const written = before - this.#queue.bytes;
    this.#context.metrics.queueChanged(-written);
    this.#context.metrics.sent(written);
    this.#isBlocked = result === 'full';
  }
}
