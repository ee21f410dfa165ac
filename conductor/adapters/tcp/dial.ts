/**
 * Opens one outbound connection: resolves the name (again at each dial, so a peer may move), tries
 * its addresses in order, and with TLS checks that the other side is the server that was asked for.
 * Failures are reported as soon as the kernel tells them.
 */
import { lookup } from 'node:dns/promises';
import { messageOf } from '#conductor/core/errors';
import { parseHostPort } from './address.ts';
import { connect, type Attempt, type ConnectionEvents } from './connect.ts';
import { dialRoutes, routesAfter, type Route } from './dial-routes.ts';
import type { Failure } from './failure.ts';
import type { TlsSettings } from './tls.ts';

/** Addresses of a host name; rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The system's resolver (hosts file, search domains), without a cache. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map((one) => one.address);

export interface DialOptions {
  readonly peerId: string;
  readonly address: string;
  readonly resolve: Resolve;
  readonly tls: TlsSettings | null;
  /** In mixed mode: go without TLS at once. */
  readonly skipsTls: boolean;
  readonly now: () => number;
  /** Longest wait for one of several addresses, milliseconds. */
  readonly addressMs: number;
  readonly events: ConnectionEvents;
  connected(socket: Bun.Socket<unknown>, isTls: boolean): void;
  failed(failure: Failure): void;
}

/** Addresses of one name that are tried. */
const ADDRESSES_MAX = 8;

/** One dial in progress. Exactly one of `connected` and `failed` is called, at any time, even inside the constructor; neither after `abandon`. */
export class Dial {
  readonly #options: DialOptions;
  #isOver = false;
  #addressTimer: ReturnType<typeof setTimeout> | null = null;
  /** Ends the attempt in progress. */
  #attempt = new AbortController();

  constructor(options: DialOptions) {
    this.#options = options;
    const target = parseHostPort(options.address);
    if (target === null) this.#fail({ reason: 'unreachable', message: `not an address: ${options.address}` });
    else if (target.isLiteral) this.#tryAll([target.host], target.port);
    else void this.#resolveAndTry(target.host, target.port);
  }

  /** Gives up. A connection that has come about, or still does, is closed at once. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting();
    this.#attempt.abort();
  }

  async #resolveAndTry(host: string, port: number): Promise<void> {
    let addresses: readonly string[] = [];
    let message = `${host} has no address`;
    try {
      addresses = await this.#options.resolve(host);
    } catch (error) {
      message = `${host} was not resolved: ${messageOf(error)}`;
    }
    if (this.#isOver) return;
    if (addresses.length === 0) this.#fail({ reason: 'unreachable', message });
    else this.#tryAll(addresses.slice(0, ADDRESSES_MAX), port);
  }

  #tryAll(addresses: readonly string[], port: number): void {
    const { tls, skipsTls } = this.#options;
    this.#tryNext(dialRoutes(addresses, tls, skipsTls), port);
  }

  /** Tries the first route, then the others; the failure of the last is the dial's. */
  #tryNext(routes: readonly Route[], port: number): void {
    const [route, ...others] = routes as [Route, ...Route[]];
    const { address, tls } = route;
    const over = new AbortController();
    this.#attempt = over;
    let isSettled = false;
    const attempt: Attempt = {
      ...this.#options,
      hostname: address,
      tls,
      port,
      signal: over.signal,
      succeeded: (socket) => {
        isSettled = true;
        this.#isOver = true;
        this.#stopWaiting();
        this.#options.connected(socket, tls !== null);
      },
      failed: (failure) => {
        if (isSettled || this.#isOver) return;
        isSettled = true;
        over.abort();
        this.#stopWaiting();
        const left = routesAfter(failure, route, others);
        if (left.length === 0) this.#fail(failure);
        else this.#tryNext(left, port);
      },
    };
    if (others.some((other) => other.address !== address)) {
      const failure: Failure = { reason: 'unreachable', message: `${address} did not answer` };
      this.#addressTimer = setTimeout(() => attempt.failed(failure), this.#options.addressMs);
    }
    connect(attempt);
  }

  #fail(failure: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.failed(failure);
  }

  #stopWaiting(): void {
    if (this.#addressTimer !== null) clearTimeout(this.#addressTimer);
    this.#addressTimer = null;
  }
}
