/**
 * All websocket clients: hands each message to every one while that is allowed, looks after them in
 * sweeps, and drops those that are slow, dead or talkative. One slow client never delays another.
 */
import type { WithheldReason } from '#conductor/core/flashblocks';
import type { Logger, Metrics } from '#conductor/core/ports';
import { callerAddress } from '../system/every-interface.ts';
import { LogLimiter } from '../tcp/log-limiter.ts';
import { FlashblocksClient, type ClientSocket, type DropReason, type FlashblocksMessage } from './client.ts';
import type { FlashblocksLimits } from './limits.ts';

/** Close code for a server that goes away (RFC 6455, 7.4.1). */
const goingAway = 1001;

export interface FanOutOptions {
  readonly limits: FlashblocksLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Why nothing may be passed on at this moment; null when it may. */
  withheld(): WithheldReason | null;
  /** Monotonic milliseconds. */
  now(): number;
}

export class FanOut {
  readonly #options: FanOutOptions;
  readonly #clients = new Map<ClientSocket, FlashblocksClient>();
  readonly #warnings: LogLimiter;
  #writingBytes = 0;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#warnings = new LogLimiter(options.logger, () => options.now());
    this.#publishCount();
  }

  get isFull(): boolean {
    return this.#clients.size >= this.#options.limits.clientsMax;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  opened(socket: ClientSocket): void {
    this.#clients.set(socket, new FlashblocksClient(socket, this.#options.limits, this.#options.now()));
    this.#publishCount();
  }

  closed(socket: ClientSocket): void {
    this.#remove(socket);
  }

  /** A slow client took something. What waits for it since this conductor led is not sent any more (rule 26). */
  drained(socket: ClientSocket): void {
    if (this.#options.withheld() !== null) this.#clients.get(socket)?.forget();
    this.#serve(socket, (client) => client.drained(this.#options.now()));
  }

  ponged(socket: ClientSocket): void {
    this.#clients.get(socket)?.ponged();
  }

  spoke(socket: ClientSocket): void {
    this.#clients.get(socket)?.spoke();
  }

  /** To every client, or to none while it is withheld. */
  broadcast(message: FlashblocksMessage): void {
    const reason = this.#options.withheld();
    this.#options.metrics.count('flashblocks_messages_total', { outcome: reason ?? 'forwarded' });
    if (reason !== null) return;
    const nowMs = this.#options.now();
    for (const socket of [...this.#clients.keys()]) this.#serve(socket, (client) => client.offer(message, nowMs));
  }

  /** Pings and drops; to be called every `sweepMs`. */
  sweep(): void {
    const nowMs = this.#options.now();
    for (const socket of [...this.#clients.keys()]) this.#serve(socket, (client) => client.sweep(nowMs));
  }

  /** Says goodbye to all. */
  closeAll(): void {
    for (const socket of [...this.#clients.keys()]) {
      this.#remove(socket);
      socket.close(goingAway, 'the conductor ends');
    }
  }

  #serve(socket: ClientSocket, step: (client: FlashblocksClient) => DropReason | null): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    const before = client.writingBytes;
    const reason = step(client);
    this.#writingBytes += client.writingBytes - before;
    const isTooMuch = client.writingBytes > before && this.#writingBytes > this.#options.limits.writingBytesMax;
    if (reason !== null) this.#drop(socket, reason);
    else if (isTooMuch) this.#drop(socket, 'memory');
  }

  #drop(socket: ClientSocket, reason: DropReason): void {
    this.#remove(socket);
    this.#options.metrics.count('flashblocks_clients_dropped_total', { reason });
    const from = callerAddress(socket.remoteAddress);
    this.#warnings.warn(from, 'dropping a flashblocks client', { reason, clients: this.#clients.size });
    socket.terminate();
  }

  #remove(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    this.#writingBytes -= client.writingBytes;
    this.#clients.delete(socket);
    this.#publishCount();
  }

  #publishCount(): void {
    this.#options.metrics.gauge('websocket_clients_connected', this.#clients.size);
  }
}
