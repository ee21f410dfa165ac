/**
 * All connections of the HTTP server: how many may be open, how much memory they may hold and how long
 * each may keep us waiting. At a bound the client that has kept us waiting longest goes first, so that
 * nobody can shut out op-node by holding connections open. What is held is counted anew from the open
 * connections each time somebody holds more: a count that is kept could come to differ from the truth.
 */
import { BodyRoom } from './body-room.ts';
import { BodyTurns } from './body-turns.ts';
import type { ConnectionHost, HttpRequest, StatefulConnection } from './connection-host.ts';
import { plainRefusal, type HttpReply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** Connections open at once. */
export const connectionsMax = 1024;
const mebibyte = 1024 * 1024;
/** Memory for several large bodies, until they are answered: as a multiple of the largest one, and in bytes. */
const largeBodiesMax = 3;
const largeBodiesBytesMax = 16 * mebibyte;
/** Memory for all others that are still arriving, in bytes. */
const smallBodiesBytesMax = 64 * mebibyte;
/** Larger bodies, or those larger than a quarter of the largest, need room of their own. */
const smallBytesMax = mebibyte;
/** How long each state may last, milliseconds. Calls have deadlines of their own. */
const patienceMs = {
  idle: 120_000,
  reading: 30_000,
  waiting: 30_000,
  answering: Infinity,
  writing: 30_000,
  lingering: 5_000,
  closed: Infinity,
} as const;
/** Deadlines are looked at this often while there are connections. */
const sweepMs = 1000;

/** What the server behind the connections decides. */
export interface ConnectionPolicy {
  readonly bodyBytesMax: number;
  /** Memory for answers that clients do not read, of all connections together. */
  readonly unsentBytesMax: number;
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

const slow = plainRefusal(408, 'the request did not arrive in time');
/** The answer to a client that finds no room. */
export const busy = plainRefusal(503, 'too many connections');
const overloaded = plainRefusal(503, 'too many bodies arrive at once');

export class Connections implements ConnectionHost {
  readonly #options: ConnectionPolicy;
  readonly #open = new Set<StatefulConnection>();
  /** Those that wait for their client, the longest first. */
  readonly #waiting = new Set<StatefulConnection>();
  #sweeper: ReturnType<typeof setInterval> | undefined;
  /** Set at the end: to be called when no answer is under way any more. */
  #whenDone: (() => void) | undefined;

  readonly bodyBytesMax: number;
  readonly roomlessBytesMax: number;
  readonly room: BodyRoom;
  readonly turns = new BodyTurns();

  constructor(options: ConnectionPolicy) {
    const { bodyBytesMax } = options;
    this.#options = options;
    this.bodyBytesMax = bodyBytesMax;
    this.roomlessBytesMax = Math.min(smallBytesMax, bodyBytesMax / 4);
    this.room = new BodyRoom(Math.min(largeBodiesMax * bodyBytesMax, largeBodiesBytesMax), () => options.now());
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

  add<Added extends StatefulConnection>(connection: Added): Added {
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

  holdsMore(): void {
    this.#makeRoom(Math.min(this.bodyBytesMax, smallBodiesBytesMax), ({ bodyBytes }) => bodyBytes);
    this.#makeRoom(this.#options.unsentBytesMax, ({ unsentBytes }) => unsentBytes);
  }

  evict(connection: StatefulConnection): void {
    this.#options.shed('memory');
    connection.close(overloaded);
  }

  /** Closes connections that hold memory of a kind until all together hold no more than `bytesMax`. */
  #makeRoom(bytesMax: number, heldBy: (connection: StatefulConnection) => number): void {
    let excess = -bytesMax;
    for (const connection of this.#open) excess += heldBy(connection);
    for (const connection of this.#waiting) {
      if (excess <= 0) return;
      const bytes = heldBy(connection);
      if (bytes === 0) continue;
      excess -= bytes;
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
