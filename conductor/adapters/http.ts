/**
 * The JSON-RPC server: HTTP forms, status codes and headers as the server we replace (geth's rpc), with
 * bodies bounded however they arrive. Calls of a batch run in order; /healthz and /readyz answer probes.
 */
import type { Metrics } from '#conductor/ports';
import {
  answerItems,
  resolveCall,
  type DispatchOptions,
  type RefusedAdmin,
  type Resolved,
} from '#conductor/rpc/dispatch';
import { anybody, type Identity } from '#conductor/rpc/identity';
import { parseBody, type Call, type Outcome } from '#conductor/rpc/message';
import type { MethodName } from '#conductor/rpc/methods';
import type { ParamValue } from '#conductor/rpc/params';

/** Seconds after which a silent connection is closed. Longer than any deadline of a call. */
const idleTimeoutSeconds = 120;

/** One resolved call and who asks. */
export interface Invocation {
  readonly method: MethodName;
  readonly values: readonly ParamValue[];
  readonly from: string;
  /** The name the caller has proved; '' when none was asked for. */
  readonly as: string;
}

/** Who may call admin methods, and where it is recorded that somebody might not. */
export interface AdminGate {
  /** Judges the Authorization header of a request that calls an admin method. */
  identify(authorization: string | null): Identity;
  /** An admin call that was answered with an error instead of being carried out. */
  refused(call: Call, refusal: RefusedAdmin, caller: { readonly from: string; readonly message: string }): void;
}

export interface HttpOptions {
  readonly hostname: string;
  readonly port: number;
  readonly bodyBytesMax: number;
  readonly batchItemsMax: number;
  readonly dispatch: DispatchOptions;
  readonly version: string;
  readonly metrics: Metrics;
  /** Absent: everybody may call admin methods. */
  readonly gate?: AdminGate;
  /** Runs a call; resolves with its outcome, never rejects. */
  invoke(invocation: Invocation): Promise<Outcome>;
  /** Rule 25: '' when ready, else why not. */
  readiness(): string;
}

export interface HttpServer {
  readonly port: number;
  /** Stops listening; waits for answers under way until the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** Starts the server; throws when the port is taken. */
export function serveHttp(options: HttpOptions): HttpServer {
  const server = Bun.serve({
    hostname: options.hostname,
    port: options.port,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: options.bodyBytesMax,
    fetch: (request, self) => route(options, request, self.requestIP(request)?.address ?? ''),
    error: () => new Response('internal error\n', { status: 500 }),
  });
  return {
    port: server.port ?? options.port,
    stop: async (deadlineMs) => {
      await Promise.race([server.stop(false), Bun.sleep(deadlineMs)]);
      await server.stop(true);
    },
  };
}

async function route(options: HttpOptions, request: Request, from: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/healthz' || pathname === '/healthz/') return healthz(options);
  if (pathname === '/readyz') return readyz(options);
  if (pathname !== '/') return text(404, '404 page not found\n', { 'X-Content-Type-Options': 'nosniff' });
  if (request.method === 'OPTIONS' && request.headers.has('Access-Control-Request-Method')) return preflight(request);
  const refusal = refuse(options, request);
  if (refusal !== null) {
    options.metrics.count('http_rejected_total', { status: String(refusal.status) });
    return refusal;
  }
  if (isProbe(request)) return landing(options, request);
  return answer(options, request, from);
}

async function answer(options: HttpOptions, request: Request, from: string): Promise<Response> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > options.bodyBytesMax) return tooLarge(options, bytes.byteLength);
  const body = parseBody(decoder.decode(bytes), options.batchItemsMax);
  if (body.kind === 'empty') return json(request, '');
  if (body.kind === 'failed') return json(request, body.text);
  const isBatch = body.kind === 'batch';
  const caller: Caller = {
    from,
    isRefused: false,
    identify: () => options.gate?.identify(request.headers.get('Authorization')) ?? anybody,
  };
  const run = (call: Call): Promise<Outcome> => runCall(options, call, caller);
  const response = json(request, await answerItems(isBatch ? body.items : [body.item], isBatch, run));
  return caller.isRefused && !isBatch ? unauthorized(response) : response;
}

/** Who sent a request. */
interface Caller {
  readonly from: string;
  /** A call of it was refused for want of a proof of identity. */
  isRefused: boolean;
  identify(): Identity;
}

/** The answers to a batch may differ, so only a call on its own takes its status from its outcome. */
function unauthorized(response: Response): Response {
  response.headers.set('WWW-Authenticate', 'Bearer realm="conductor admin methods"');
  return new Response(response.body, { status: 401, headers: response.headers });
}

/** Keeps a byte order mark, which makes the text no JSON. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

async function runCall(options: HttpOptions, call: Call, caller: Caller): Promise<Outcome> {
  const { metrics } = options;
  const { from } = caller;
  const began = performance.now();
  const resolved = resolveCall(call, options.dispatch, () => caller.identify());
  // Only names from the table become labels, so that callers cannot make up series.
  const labels = { rpc: 'main', method: resolved.method ?? 'other' };
  metrics.count('rpc_server_requests_total', labels);
  metrics.count('rpc_server_params_size_total', labels, call.params.text.length);
  const outcome = resolved.kind === 'answered' ? resolved.outcome : await options.invoke({ ...resolved, from });
  if (resolved.kind === 'answered') recordRefusal(options, call, caller, resolved);
  metrics.observe('rpc_server_request_duration_seconds', (performance.now() - began) / 1000, labels);
  const error = outcome.kind === 'error' ? `rpc_${outcome.code}` : '<nil>';
  metrics.count('rpc_server_responses_total', { ...labels, error });
  if (outcome.kind === 'result') metrics.count('rpc_server_results_size_total', labels, outcome.json.length);
  return outcome;
}

function recordRefusal(
  options: HttpOptions,
  call: Call,
  caller: Caller,
  { outcome, refusedAdmin }: Extract<Resolved, { kind: 'answered' }>,
): void {
  if (refusedAdmin === undefined || outcome.kind === 'result') return;
  if (refusedAdmin.reason === 'unauthorized') caller.isRefused = true;
  options.gate?.refused(call, refusedAdmin, { from: caller.from, message: outcome.message });
}

/** A GET without body, query or content type is somebody looking whether we are there. */
function isProbe(request: Request): boolean {
  return request.method === 'GET' && !hasBody(request) && new URL(request.url).search === '';
}

function refuse(options: HttpOptions, request: Request): Response | null {
  if (request.method === 'PUT' || request.method === 'DELETE') return plain(405, 'method not allowed\n');
  const length = Number(request.headers.get('Content-Length') ?? 0);
  if (length > options.bodyBytesMax) return tooLarge(options, length);
  if (request.method === 'OPTIONS' || isProbe(request)) return null;
  const type = (request.headers.get('Content-Type') ?? '').toLowerCase();
  const isAccepted = /^application\/(json|json-rpc|jsonrequest)\s*(;[^;]+)*;?$/.test(type);
  return isAccepted ? null : plain(415, 'invalid content type, only application/json is supported\n');
}

function hasBody(request: Request): boolean {
  return Number(request.headers.get('Content-Length') ?? 0) > 0 || request.headers.has('Transfer-Encoding');
}

function tooLarge(options: HttpOptions, bytes: number): Response {
  return plain(413, `content length too large (${bytes}>${options.bodyBytesMax})\n`);
}

/** Any origin and any header may call, as there; POST and GET only. */
function preflight(request: Request): Response {
  const headers: Record<string, string> = {
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
  const method = request.headers.get('Access-Control-Request-Method') ?? '';
  if (request.headers.has('Origin') && (method === 'POST' || method === 'GET')) {
    headers['Access-Control-Allow-Methods'] = method;
    headers['Access-Control-Allow-Origin'] = '*';
    headers['Access-Control-Max-Age'] = '600';
    const asked = request.headers.get('Access-Control-Request-Headers');
    if (asked !== null) headers['Access-Control-Allow-Headers'] = asked;
  }
  return new Response(null, { status: 204, headers });
}

function landing(options: HttpOptions, request: Request): Response {
  const page = `conductor ${options.version}: JSON-RPC is answered here by POST; /healthz and /readyz are for probes\n`;
  return text(200, page, { Vary: 'Origin', ...allowOrigin(request) });
}

function healthz(options: HttpOptions): Response {
  return new Response(`${JSON.stringify({ version: options.version })}\n`, {
    headers: { 'Content-Type': 'application/json' },
  });
}

function readyz(options: HttpOptions): Response {
  const reason = options.readiness();
  return reason === '' ? text(200, 'ready\n', {}) : text(503, `not ready: ${reason}\n`, {});
}

function json(request: Request, body: string): Response {
  const headers: Record<string, string> = { Vary: 'Origin', ...allowOrigin(request) };
  if (request.method === 'POST' || body !== '') headers['Content-Type'] = 'application/json';
  return new Response(body, { headers });
}

function allowOrigin(request: Request): Record<string, string> {
  return request.headers.has('Origin') ? { 'Access-Control-Allow-Origin': '*' } : {};
}

function plain(status: number, body: string): Response {
  return text(status, body, { Vary: 'Origin', 'X-Content-Type-Options': 'nosniff' });
}

function text(status: number, body: string, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });
}
