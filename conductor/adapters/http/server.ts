/**
 * An HTTP/1.1 server on plain sockets. Bun's own has no limit on connections, and gives a body that is
 * too large an empty answer; this one bounds connections, memory and time, and spends less CPU on
 * a small call. At a bound the client that has kept us waiting longest goes first, so that nobody can
 * shut out op-node by holding connections open.
 */
import { HttpConnection } from './connection.ts';
import type { ConnectionHost, HttpRequest, StatefulConnection } from './connection-host.ts';
import { plainRefusal, renderReply, type HttpReply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** Connections open at once. */
export const connectionsMax = 1024;
/** Memory for bodies that are still arriving, as a multiple of the largest one. */
const bodiesMax = 4;
/** How long each state may last, milliseconds. Calls have deadlines of their own. */
const patienceMs = {
  idle: 120_000,
  reading: 30_000,
  answering: Infinity,
  writing: 30_000,
  lingering: 5_000,
  closed: Infinity,
} as const;
/** Deadlines are looked at this often while there are connections. */
const sweepMs = 1000;

export interface HttpServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly bodyBytesMax: number;
  /** Monotonic milliseconds. */
  now(): number;
  /** The reply to a request that needs no body, or null to read the body. */
  begin(head: RequestHead): HttpReply | null;
  answer(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** `bytes` is null for a body whose length was not announced. */
  tooLarge(bytes: number | null): HttpReply;
  /** A connection was closed at a bound. */
  shed(reason: 'connections' | 'memory' | 'slow'): void;
}

export interface HttpListener {
  readonly port: number;
  /** Stops listening; waits for answers under way until the deadline, milliseconds. */
  stop(deadlineMs: number): Promise<void>;
}

const slow = plainRefusal(408, 'the request did not arrive in time');
const busy = plainRefusal(503, 'too many connections');
const overloaded = plainRefusal(503, 'too many bodies arrive at once');

/** Listens; throws when the port is taken. */
export function listenHttp(options: HttpServerOptions): HttpListener {
  const connections = new Connections(options);
  const listener = Bun.listen<HttpConnection | null>({
    hostname: options.hostname,
    port: options.port,
    allowHalfOpen: true,
    socket: {
      open: (socket) => {
        socket.setNoDelay(true);
        socket.data = connections.admit() ? connections.add(new HttpConnection(socket, connections)) : null;
        if (socket.data === null) {
          socket.write(renderReply(busy, 'closed', false));
          socket.end();
        }
      },
      data: (socket, chunk) => socket.data?.receive(chunk),
      drain: (socket) => socket.data?.drained(),
      end: (socket) => socket.data?.ended(),
      close: (socket) => socket.data?.closed(),
      error: (socket) => socket.data?.closed(),
    },
  });
  return {
    port: listener.port,
    stop: async (deadlineMs) => {
      listener.stop();
      await connections.end(deadlineMs);
      listener.stop(true);
    },
  };
}

class Connections implements ConnectionHost {
  readonly #options: HttpServerOptions;
  readonly #open = new Set<StatefulConnection>();
  /** Those that wait for their client, the longest first. */
  readonly #waiting = new Set<StatefulConnection>();
  #reservedBytes = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  /** Set at the end: to be called when no answer is under way any more. */
  #whenDone: (() => void) | undefined;

  readonly bodyBytesMax: number;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.bodyBytesMax = options.bodyBytesMax;
  }

  /** Makes room for one more; false when all are busy. */
  admit(): boolean {
    if (this.#open.size < connectionsMax) return true;
    const [longest] = this.#waiting;
    this.#options.shed('connections');
    if (longest === undefined) return false;
    longest.close(busy);
    return true;
  }

  add(connection: HttpConnection): HttpConnection {
    this.#open.add(connection);
    this.stateChanged(connection);
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs);
    return connection;
  }

  begin(head: RequestHead): HttpReply | null {
    return this.#options.begin(head);
  }

  answer(request: HttpRequest): HttpReply | Promise<HttpReply> {
    return this.#options.answer(request);
  }

  tooLarge(bytes: number | null): HttpReply {
    return this.#options.tooLarge(bytes);
  }

  stateChanged(connection: StatefulConnection): void {
    const { state } = connection;
    connection.deadlineMs = this.#options.now() + patienceMs[state];
    this.#waiting.delete(connection);
    if (state === 'closed') this.#remove(connection);
    else if (state !== 'answering') this.#waiting.add(connection);
    if (this.#whenDone !== undefined && !this.#hasWork()) this.#whenDone();
  }

  reserved(bytes: number): void {
    this.#reservedBytes += bytes;
    if (bytes <= 0 || this.#reservedBytes <= bodiesMax * this.bodyBytesMax) return;
    for (const connection of this.#waiting) {
      if (this.#reservedBytes <= bodiesMax * this.bodyBytesMax) return;
      if (connection.state !== 'reading') continue;
      this.#options.shed('memory');
      connection.close(overloaded);
    }
  }

  /** Lets answers under way finish, then closes everything. */
  async end(deadlineMs: number): Promise<void> {
    for (const connection of this.#open) connection.closeWhenIdle();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenDone = resolve;
    const timer = setTimeout(resolve, this.#hasWork() ? deadlineMs : 0);
    await promise;
    clearTimeout(timer);
    for (const connection of this.#open) connection.close();
  }

  #remove(connection: StatefulConnection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #hasWork(): boolean {
    return [...this.#open].some(({ state }) => state === 'answering' || state === 'writing');
  }

  #sweep(): void {
    const nowMs = this.#options.now();
    for (const connection of this.#waiting) {
      if (nowMs < connection.deadlineMs) continue;
      if (connection.state !== 'idle' && connection.state !== 'lingering') this.#options.shed('slow');
      connection.close(slow);
    }
  }
}
