/**
 * The connection to rollup-boost's stream of flashblocks: a few tries at start, then kept for good.
 * A follower keeps it too, so that nothing is missed after an election. Pings find a connection whose
 * other end is gone; tries lie at least `reconnectMs` apart, also when each is accepted and closed.
 */
import { StartupError } from '#conductor/core/errors';
import type { Logger, Metrics } from '#conductor/core/ports';
import { shownUrl } from '#conductor/core/shown-url';
import type { FlashblocksMessage } from './client.ts';
import type { FlashblocksLimits } from './limits.ts';

export interface FlashblocksSourceOptions {
  /** ws://, wss://, or http(s):// with the same meaning. */
  readonly url: string;
  readonly limits: FlashblocksLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly onMessage: (message: FlashblocksMessage) => void;
  /** Monotonic milliseconds. */
  now(): number;
}

export class FlashblocksSource {
  readonly #options: FlashblocksSourceOptions;
  readonly #shown: string;
  #socket: WebSocket | null = null;
  #triedAtMs = -Infinity;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #pongDeadline: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(options: FlashblocksSourceOptions) {
    this.#options = options;
    this.#shown = shownUrl(options.url);
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** The first connection; rejects with StartupError after the last try, resolves early when stopped. */
  async connect(): Promise<void> {
    const { limits, logger } = this.#options;
    for (let attempt = 1; !this.#hasEnded; attempt += 1) {
      const why = await this.#dial();
      if (why === null) return;
      if (attempt === limits.startTriesMax) {
        throw new StartupError(
          `failed to initialize flashblocks handler: failed to connect to rollup boost WebSocket ${this.#shown} in ` +
            `${attempt} tries: ${why}; start it, correct --rollupboost.ws-url, or drop the flag to run without flashblocks`,
        );
      }
      logger.log('warn', 'waiting for the rollup boost WebSocket', {
        attempt,
        of: limits.startTriesMax,
        url: this.#shown,
        err: why,
      });
      await Bun.sleep(limits.reconnectMs);
    }
  }

  stop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#retry);
    this.#forget()?.close(1000, 'shutting down');
  }

  /** One try: null when connected, else why not. */
  async #dial(): Promise<string | null> {
    const { url, limits, metrics, logger, now } = this.#options;
    this.#triedAtMs = now();
    const socket = new WebSocket(url.replace(/^http/i, 'ws'), { perMessageDeflate: false });
    socket.binaryType = 'nodebuffer';
    const { promise, resolve } = Promise.withResolvers<string | null>();
    let why = 'closed';
    socket.addEventListener('open', () => resolve(null));
    socket.addEventListener('error', (event) => (why = reasonOf(event)));
    socket.addEventListener('close', () => {
      resolve(why);
      if (this.#socket === socket) this.#lost(why);
    });
    const timer = setTimeout(() => resolve(`no answer within ${limits.dialMs} ms`), limits.dialMs);
    // From the first moment: messages may come in the same packet as the upgrade.
    socket.addEventListener('message', (event) => this.#received(socket, event.data as string | Buffer));
    socket.addEventListener('pong', () => this.#heard());
    const failure = await promise;
    clearTimeout(timer);
    metrics.count('rollup_boost_connection_attempts_count', { success: String(failure === null), source: this.#shown });
    if (failure === null && !this.#hasEnded && socket.readyState === WebSocket.OPEN) {
      this.#socket = socket;
      this.#pinger = setInterval(() => this.#ping(), limits.pingIntervalMs);
      logger.log('info', 'connected to the rollup boost WebSocket', { url: this.#shown });
      return null;
    }
    socket.terminate();
    return failure ?? why;
  }

  #received(socket: WebSocket, data: string | Buffer): void {
    const { limits, onMessage } = this.#options;
    if (this.#hasEnded || socket.readyState !== WebSocket.OPEN) return;
    this.#heard();
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : data.length;
    if (bytes <= limits.messageBytesMax) return onMessage({ data, bytes });
    socket.terminate();
    if (this.#socket === socket) this.#lost(`a message of ${bytes} bytes, allowed are ${limits.messageBytesMax}`);
  }

  #ping(): void {
    this.#socket?.ping();
    this.#pongDeadline ??= setTimeout(() => {
      this.#lost(`no sign of life for ${this.#options.limits.pongTimeoutMs} ms after a ping`);
    }, this.#options.limits.pongTimeoutMs);
  }

  #heard(): void {
    clearTimeout(this.#pongDeadline);
    this.#pongDeadline = undefined;
  }

  /** Lets go of the connection and plans the next try. */
  #lost(why: string): void {
    const socket = this.#forget();
    if (socket === null || this.#hasEnded) return;
    socket.terminate();
    this.#options.logger.log('warn', 'lost the rollup boost WebSocket', { url: this.#shown, err: why });
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    const { limits, now } = this.#options;
    const pauseMs = Math.max(0, this.#triedAtMs + limits.reconnectMs - now());
    this.#retry = setTimeout(() => void this.#reconnect(), pauseMs);
  }

  async #reconnect(): Promise<void> {
    const why = await this.#dial();
    if (why === null || this.#hasEnded) return;
    this.#options.logger.log('warn', 'cannot connect to the rollup boost WebSocket, trying again', {
      url: this.#shown,
      err: why,
    });
    this.#reconnectLater();
  }

  #forget(): WebSocket | null {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#pinger);
    this.#heard();
    return socket;
  }
}

/** Bun's sentence repeats the URL, which may hold a secret. */
function reasonOf(event: Event): string {
  const { message } = event as { message?: unknown };
  return typeof message === 'string' ? message.replace(/^.* failed: /s, '') : 'unknown error';
}
