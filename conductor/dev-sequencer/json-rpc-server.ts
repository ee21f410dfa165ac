/**
 * A bounded JSON-RPC 2.0 server over HTTP POST, for the two ports of a development sequencer.
 * It answers as geth's server does where a conductor can see it (codes, 415, empty answer to
 * notifications). Nothing a client sends can throw past `answer`.
 */

import { messageOf } from '#conductor/core/errors';
import { answerItems } from '#conductor/core/rpc/dispatch';
import { ErrorCode, parseBody } from '#conductor/core/rpc/message';
import type { Call, Outcome } from '#conductor/core/rpc/message';

/** Largest request body, in bytes; a 20 MB block is 40 MB of hex. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Most calls in one batch. */
const BATCH_CALLS_MAX = 100;
/** Seconds an idle connection is kept. */
const IDLE_SECONDS = 30;

/** An error with a JSON-RPC code, thrown by methods and sent to the caller as it is. */
export class RpcError extends Error {
  readonly code: number;

  constructor(message: string, code = -32000) {
    super(message);
    this.name = 'RpcError';
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
  const methods = new Map(Object.entries(options.methods));
  const server = Bun.serve({
    hostname: options.hostname,
    port: options.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: IDLE_SECONDS,
    async fetch(request) {
      const delayMs = options.delayMs();
      if (delayMs > 0) {
        await Bun.sleep(delayMs);
      }
      await options.hold?.();
      const refusal = options.whyRefused?.(request.headers.get('authorization')) ?? null;
      if (refusal !== null) {
        return new Response(`${refusal}\n`, { status: 401 });
      }
      return respond(request, methods);
    },
    error: () => new Response('internal error\n', { status: 500 }),
  });
  return {
    port: server.port ?? options.port,
    stop: () => server.stop(true),
  };
}

async function respond(request: Request, methods: ReadonlyMap<string, RpcMethod>): Promise<Response> {
  if (request.method === 'GET') {
    return new Response('');
  }
  if (request.method !== 'POST') {
    return new Response('method not allowed\n', { status: 405 });
  }
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return new Response('invalid content type, only application/json is supported\n', { status: 415 });
  }
  const body = await readBody(request);
  if (body === null) {
    return new Response('content length too large\n', { status: 413 });
  }
  const text = await answer(body, methods);
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

/** The body as text, or null when it is over the limit or the client went away. */
async function readBody(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES_MAX) {
    return null;
  }
  try {
    const text = await request.text();
    return text.length > BODY_BYTES_MAX ? null : text;
  } catch {
    return null;
  }
}

/** The text that answers one body; '' when nothing is to be said. Never rejects. */
async function answer(body: string, methods: ReadonlyMap<string, RpcMethod>): Promise<string> {
  const parsed = parseBody(body, BATCH_CALLS_MAX);
  switch (parsed.kind) {
    case 'empty':
      return '';
    case 'failed':
      return parsed.text;
    case 'single':
      return answerItems([parsed.item], false, (call) => run(call, methods));
    case 'batch':
      return answerItems(parsed.items, true, (call) => run(call, methods));
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
