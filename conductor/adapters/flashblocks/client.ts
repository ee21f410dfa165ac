/**
 * One websocket client: what it has not taken yet, bounded in messages and bytes. Messages are shared
 * between clients, so a queue holds references; only the one being written is copied, by Bun. A client
 * never decides to drop itself: it says what is wrong, and the fan-out drops it.
 */
import type { FlashblocksLimits } from './limits.ts';

/** A flashblock as it came, text or binary. */
export interface FlashblocksMessage {
  readonly data: string | Buffer;
  readonly bytes: number;
}

/** Why a client is dropped; labels of a metric. */
export type DropReason = 'queue-full' | 'write-timeout' | 'pong-timeout' | 'memory' | 'talkative' | 'send-failed';

/** The part of Bun's ServerWebSocket that is needed. */
export interface ClientSocket {
  readonly remoteAddress: string;
  /** −1: taken, but waits for the network; 0: lost; else sent. */
  send(data: string | Buffer): number;
  ping(): unknown;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
  terminate(): void;
}

export class FlashblocksClient {
  readonly socket: ClientSocket;
  readonly #limits: FlashblocksLimits;
  #waiting: FlashblocksMessage[] = [];
  #waitingBytes = 0;
  #writing: { readonly bytes: number; readonly sinceMs: number } | null = null;
  /** Since when something waits to be taken that is no message: pongs to a client that does not read. */
  #unreadSinceMs: number | null = null;
  #pingedAtMs: number;
  #isPongDue = false;
  #said = 0;

  constructor(socket: ClientSocket, limits: FlashblocksLimits, nowMs: number) {
    this.socket = socket;
    this.#limits = limits;
    this.#pingedAtMs = nowMs;
  }

  /** Bytes of the message that the network has not taken yet; 0 when it took all. */
  get writingBytes(): number {
    return this.#writing?.bytes ?? 0;
  }

  /** Takes a message, at once or into the queue. */
  offer(message: FlashblocksMessage, nowMs: number): DropReason | null {
    if (this.#writing === null) return this.#send(message, nowMs);
    const { clientMessagesMax, clientBytesMax } = this.#limits;
    const isFull = this.#waiting.length >= clientMessagesMax || this.#waitingBytes + message.bytes > clientBytesMax;
    if (isFull) return 'queue-full';
    this.#waiting.push(message);
    this.#waitingBytes += message.bytes;
    return null;
  }

  /** The network took something: goes on when it took all. */
  drained(nowMs: number): DropReason | null {
    if (this.#writing === null || this.socket.getBufferedAmount() > 0) return null;
    this.#writing = null;
    while (this.#writing === null && this.#waiting.length > 0) {
      const message = this.#waiting.shift()!;
      this.#waitingBytes -= message.bytes;
      const reason = this.#send(message, nowMs);
      if (reason !== null) return reason;
    }
    return null;
  }

  /** Forgets what waits: it may not be passed on any more. */
  forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** Looks whether it still lives, and pings it when due. */
  sweep(nowMs: number): DropReason | null {
    const { writeTimeoutMs, pingIntervalMs, pongTimeoutMs, clientSaysPerSweepMax } = this.#limits;
    const hasSaid = this.#said;
    this.#said = 0;
    if (hasSaid > clientSaysPerSweepMax) return 'talkative';
    if (this.#writing !== null) return nowMs - this.#writing.sinceMs > writeTimeoutMs ? 'write-timeout' : null;
    if (this.#isUnread(nowMs)) return 'write-timeout';
    if (this.#isPongDue) return nowMs - this.#pingedAtMs > pongTimeoutMs ? 'pong-timeout' : null;
    if (nowMs - this.#pingedAtMs < pingIntervalMs) return null;
    this.#pingedAtMs = nowMs;
    this.#isPongDue = true;
    this.socket.ping();
    return null;
  }

  /** Whether pongs have waited for it from one sweep to a much later one. */
  #isUnread(nowMs: number): boolean {
    this.#unreadSinceMs = this.socket.getBufferedAmount() > 0 ? (this.#unreadSinceMs ?? nowMs) : null;
    return this.#unreadSinceMs !== null && nowMs - this.#unreadSinceMs > this.#limits.writeTimeoutMs;
  }

  ponged(): void {
    this.#isPongDue = false;
    this.#said += 1;
  }

  /** It said something, or pinged; what it was does not matter. */
  spoke(): void {
    this.#said += 1;
  }

  #send(message: FlashblocksMessage, nowMs: number): DropReason | null {
    const sent = this.socket.send(message.data);
    if (sent === 0 && message.bytes > 0) return 'send-failed';
    if (sent < 0) this.#writing = { bytes: message.bytes, sinceMs: nowMs };
    return null;
  }
}
