/**
 * Serves a Hono app with Bun.serve. The runtime reads heads (strictly: RFC 9112, record 0070), leaves bodies in
 * their sockets until they are read, and pulls answers as fast as their clients read them. What it does not bound
 * is bounded by the app: bodies (arriving-bodies.ts), answers (unread-answers.ts), ambiguous heads (well-formed.ts).
 * Connections are bounded by the operating system alone.
 */
import type { Hono } from 'hono';
import { listenerHostname } from '../system/every-interface.ts';
import { whyMalformed } from './well-formed.ts';

/** What handlers find in `context.env`. */
export interface HttpEnv {
  readonly Bindings: Bun.Server<undefined>;
}

export interface HttpServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly app: Hono<HttpEnv>;
  /** Is told the status of each request whose head is refused before the app has it (well-formed.ts); absent: none is. */
  readonly headRefused?: (status: number) => void;
  /** PEM texts; absent: no TLS. With `clientCa` only those are let in who show a certificate of its authorities. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string };
}

export interface HttpListener {
  readonly port: number;
  /** Stops listening; waits for answers under way until the deadline, milliseconds. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * How long a connection may be idle, seconds: clients in Go keep theirs for 90, and would lose a call that meets the
 * end of one. Also the longest time for one request, where `context.env.timeout` says nothing else.
 */
export const idleSeconds = 120;
/**
 * Beyond this the runtime refuses a body without words, bytes. The app's own bounds are lower, and the rest of a
 * body it has refused is read and thrown away, so that the client sees the answer.
 */
const discardedBytesMax = 1024 * 1024 * 1024;

/** Listens; throws when the port is taken. */
export function listenHttp({ hostname, port, app, headRefused, tls }: HttpServerOptions): HttpListener {
  const refusalOf = headRefused === undefined ? () => null : (request: Request) => whyMalformed(request, headRefused);
  const server = Bun.serve({
    hostname: listenerHostname(hostname),
    port,
    idleTimeout: idleSeconds,
    ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    maxRequestBodySize: discardedBytesMax,
    fetch: (request, bindings) => refusalOf(request) ?? app.fetch(request, bindings),
    // Otherwise the runtime writes a stack to the log for every answer that is given up.
    development: false,
    // Outside of development the runtime would let a second process share the port, which must not start.
    reusePort: false,
    error: () => new Response('internal error\n', { status: 500 }),
  });
  return {
    port: server.port ?? port,
    stop: async (deadlineMs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadlineMs);
      // Idle connections do not hold it up; answers under way do.
      if (server.pendingRequests > 0) await Promise.race([server.stop(), promise]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}

function tlsOf({ cert, key, clientCa }: NonNullable<HttpServerOptions['tls']>): Bun.TLSOptions {
  if (clientCa === undefined) return { cert, key };
  return { cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: true };
}

/**
 * The path of a request, for the router: as sent up to its query. The runtime has taken out dots, and gives a
 * target without a host where the Host header is missing or empty.
 */
export function pathOf({ url }: Request): string {
  const from = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  if (from === -1) return '*';
  const mark = url.indexOf('?', from);
  return mark === -1 ? url.slice(from) : url.slice(from, mark);
}

/** What follows the question mark; '' without one. */
export function queryOf({ url }: Request): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
