/**
 * A bounded JSON-RPC 2.0 server over HTTP POST, for the two ports of a development sequencer.
 * It answers as geth's server does where a conductor can see it (codes, 415, empty answer to
 * notifications). Nothing a client sends can throw past `answer`.
 */

import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { listenHttp, pathOf, type HttpEnv } from '#conductor/adapters/http/server';
import { messageOf } from '#conductor/core/errors';
import { answerBatch, answerItem } from '#conductor/core/rpc/dispatch';
import { ErrorCode, parseBody, type Call, type Outcome } from '#conductor/core/rpc/message';

/** Largest request body, in bytes; a 20 MB block is 40 MB of hex. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Most calls in one batch. */
const BATCH_CALLS_MAX = 100;

/** An error with a JSON-RPC code, thrown by methods and sent to the caller as it is. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(message: string, code = -32000) {
    super(message);
    this.code = code;
  }
}

/** Takes the positional parameters, returns the result; a thrown RpcError becomes the error answer. */
export type RpcMethod = (params: readonly unknown[]) => unknown;

/** Methods by name. */
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** Where to listen and what to answer. */
export interface JsonRpcServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly methods: RpcMethods;
  /** Milliseconds each answer is held back, asked for at each request. */
  readonly delayMs: () => number;
  /** Waited for before anything is answered. */
  readonly hold?: () => Promise<void>;
  /** Why a caller gets status 401, by its Authorization header; null for one who may call. */
  readonly whyRefused?: (authorization: string | null) => string | null;
}

/** A listening server. */
export interface JsonRpcServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts listening. Throws what Bun throws when the port is taken. */
export function serveJsonRpc(options: JsonRpcServerOptions): JsonRpcServer {
  const { hostname, port } = options;
  const server = listenHttp({ hostname, port, app: jsonRpcApp(options) });
  return { port: server.port, stop: () => server.stop(0) };
}

function jsonRpcApp(options: JsonRpcServerOptions): Hono<HttpEnv> {
  const methods = new Map(Object.entries(options.methods));
  const app = new Hono<HttpEnv>({ getPath: pathOf });
  app.onError(() => new Response('internal error\n', { status: 500 }));
  app.use(async (_, next) => {
    const delayMs = options.delayMs();
    if (delayMs > 0) await Bun.sleep(delayMs);
    await options.hold?.();
    await next();
  });
  app.use(async ({ req, text }, next) => {
    const refusal = options.whyRefused?.(req.header('authorization') ?? null) ?? null;
    return refusal === null ? next() : text(`${refusal}\n`, 401);
  });
  app.get('*', ({ body }) => body(''));
  app.post('*', onlyJson, bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLarge }), async ({ req, body }) =>
    body(await answer(await req.text(), methods), 200, { 'content-type': 'application/json' }),
  );
  app.all('*', ({ text }) => text('method not allowed\n', 405));
  return app;
}

const onlyJson: MiddlewareHandler = async ({ req, text }, next) => {
  const type = (req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' ? next() : text('invalid content type, only application/json is supported\n', 415);
};

const tooLarge = ({ text }: Context): Response => text('content length too large\n', 413);

/** The text that answers one body; '' when nothing is to be said. Never rejects. */
async function answer(body: string, methods: ReadonlyMap<string, RpcMethod>): Promise<string> {
  const parsed = parseBody(body, BATCH_CALLS_MAX);
  switch (parsed.kind) {
    case 'empty':
      return '';
    case 'failed':
      return parsed.text;
    case 'single':
      return answerItem(parsed.item, (call) => run(call, methods));
    case 'batch':
      return answerBatch(parsed.items, (call) => run(call, methods));
  }
}

async function run(call: Call, methods: ReadonlyMap<string, RpcMethod>): Promise<Outcome> {
  const method = methods.get(call.method);
  if (method === undefined) {
    const message = `the method ${call.method} does not exist/is not available`;
    return { kind: 'error', code: ErrorCode.methodNotFound, message };
  }
  const { text, values } = call.params;
  if (values === null && text !== '' && text !== 'null') {
    return { kind: 'error', code: ErrorCode.invalidParams, message: 'non-array args' };
  }
  try {
    const result: unknown = await method(values ?? []);
    return { kind: 'result', json: JSON.stringify(result ?? null) };
  } catch (error) {
    const code = error instanceof RpcError ? error.code : ErrorCode.failed;
    return { kind: 'error', code, message: messageOf(error) };
  }
}
