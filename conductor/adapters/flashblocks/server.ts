/**
 * The port on which clients take flashblocks: websockets at /ws, nothing elsewhere. Compression is off
 * and pages of other origins are turned away, as by op-conductor's server.
 */
import { pathOf } from '../http/server.ts';
import { listenerHostname } from '../system/every-interface.ts';
import type { FanOut } from './fan-out.ts';
import type { FlashblocksLimits } from './limits.ts';

/** Path of the websocket; op-conductor's. */
const flashblocksPath = '/ws';
/** Seconds a connection may take for its HTTP request. */
const requestSecondsMax = 10;
const requestBodyBytesMax = 1024;

export interface FlashblocksServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly fanOut: FanOut;
  readonly limits: FlashblocksLimits;
}

export interface FlashblocksServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens; throws when the port is taken. */
export function serveFlashblocks({ hostname, port, fanOut, limits }: FlashblocksServerOptions): FlashblocksServer {
  const server = Bun.serve({
    hostname: listenerHostname(hostname),
    port,
    idleTimeout: requestSecondsMax,
    maxRequestBodySize: requestBodyBytesMax,
    fetch: (request, self) => {
      const refusal = refuse(request, fanOut);
      if (refusal !== null) return refusal;
      return self.upgrade(request) ? undefined : answer(426, 'this path speaks websocket only\n', upgradeHeaders);
    },
    // Otherwise the runtime answers an exception with its source and stack, and writes them to the log.
    development: false,
    // Outside of development the runtime would let a second process share the port, which must not start.
    reusePort: false,
    error: () => answer(500, 'internal error\n'),
    websocket: {
      // Pings are our own, so that a missing pong has a deadline.
      idleTimeout: 0,
      sendPings: false,
      perMessageDeflate: false,
      maxPayloadLength: limits.clientSaysBytesMax,
      // Never reached: a message is sent only when the one before it is gone.
      backpressureLimit: 2 * limits.messageBytesMax,
      open: (socket) => fanOut.opened(socket),
      close: (socket) => fanOut.closed(socket),
      drain: (socket) => fanOut.drained(socket),
      pong: (socket) => fanOut.ponged(socket),
      ping: (socket) => fanOut.spoke(socket),
      message: (socket) => fanOut.spoke(socket),
    },
  });
  const sweeper = setInterval(() => fanOut.sweep(), limits.sweepMs);
  return {
    port: server.port ?? port,
    stop: async () => {
      clearInterval(sweeper);
      fanOut.closeAll();
      await server.stop(true);
    },
  };
}

const upgradeHeaders = { Connection: 'Upgrade', Upgrade: 'websocket' };

function refuse(request: Request, fanOut: FanOut): Response | null {
  if (pathOf(request) !== flashblocksPath) return answer(404, '404 page not found\n');
  if (!isSameOrigin(request)) return answer(403, 'pages of other origins may not connect\n');
  if (fanOut.isFull) return answer(503, 'too many clients\n', { Connection: 'close' });
  return null;
}

/** True without an Origin, which only browsers send. */
function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get('Origin');
  if (origin === null) return true;
  const host = request.headers.get('Host') ?? '';
  return URL.canParse(origin) && new URL(origin).host.toLowerCase() === host.toLowerCase();
}

function answer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });
}
