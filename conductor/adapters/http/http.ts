/**
 * The JSON-RPC server: HTTP forms, status codes and headers as the server we replace (geth's rpc), with
 * bodies bounded however they arrive. Calls of a batch run in order; /healthz and /readyz answer probes.
 */
import type { Metrics } from '#conductor/core/ports';
import {
  answerItems,
  resolveCall,
  type DispatchOptions,
  type RefusedAdmin,
  type Resolved,
} from '#conductor/core/rpc/dispatch';
import { anybody, type Identity } from '#conductor/core/rpc/identity';
import type { Call, Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import { readBody, readBodySteps, type ReadBody } from '#conductor/core/rpc/read-body';
import { pageDetector } from '../auth/web-page.ts';
import type { HttpRequest } from './connection-host.ts';
import { elsewhere, json, landing, plain, preflight } from './pages.ts';
import type { HttpReply } from './reply.ts';
import type { RequestHead } from './request-head.ts';
import { listenHttp, type HttpListener } from './server.ts';

/** One resolved call and who asks. */
export interface Invocation {
  readonly method: MethodName;
  readonly values: readonly ParamValue[];
  readonly from: string;
  /** The name the caller has proved; '' when none was asked for. */
  readonly as: string;
}

/** What a request says about its caller. */
export interface Proof {
  /** Its Authorization header; null when there is none. */
  readonly authorization: string | null;
  /** Why it is taken for a web page's; null when nothing says so. */
  readonly pageSign: string | null;
}

/** Who may call admin methods, and where it is recorded that somebody might not. */
export interface AdminGate {
  /** Judges a request that calls an admin method. */
  identify(proof: Proof): Identity;
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
  /** Runs a call; its outcome is there at once or resolves, and never rejects. */
  invoke(invocation: Invocation): Outcome | Promise<Outcome>;
  /** Rule 25: '' when ready, else why not. */
  readiness(): string;
}

/** Memory for answers that clients do not read, in bytes: two of the largest, which are proxied blocks. */
const unsentBytesMax = 128 * 1024 * 1024;

/** Starts the server; throws when the port is taken. */
export function serveHttp(options: HttpOptions): HttpListener {
  const shared: Shared = { pause: batchTurns(), identify: identifier(options) };
  return listenHttp({
    hostname: options.hostname,
    port: options.port,
    bodyBytesMax: options.bodyBytesMax,
    unsentBytesMax,
    now: () => performance.now(),
    begin: (head) => begin(options, head),
    answer: (request) => answer(options, request, shared),
    tooLarge: (bytes) => refused(options, tooLarge(options, bytes)),
    shed: (reason) => options.metrics.count('http_connections_shed_total', { reason }),
  });
}

/** The reply to all that needs no body. */
function begin(options: HttpOptions, head: RequestHead): HttpReply | null {
  if (head.path !== '/') return elsewhere(options, head);
  const { fields } = head;
  if (head.method === 'OPTIONS' && fields.has('access-control-request-method')) return preflight(head);
  const refusal = refusalOf(options, head);
  if (refusal !== null) return refused(options, refusal);
  return isProbe(head) ? landing(options, head) : null;
}

/** What all requests of a server have in common. */
interface Shared {
  pause(): Promise<void> | null;
  identify(fields: RequestHead['fields']): Identity;
}

function answer(options: HttpOptions, request: HttpRequest, shared: Shared): HttpReply | Promise<HttpReply> {
  if (request.nextTurn !== null) {
    return readInTurns(request, request.nextTurn, options.batchItemsMax).then((read) =>
      answerBody(options, request, read, shared),
    );
  }
  return answerBody(options, request, readBody(request.body, options.batchItemsMax), shared);
}

/** Reads a large body in many turns: other callers are answered between its steps. */
async function readInTurns(
  { body }: HttpRequest,
  nextTurn: () => Promise<void>,
  batchItemsMax: number,
): Promise<ReadBody> {
  const reading = readBodySteps(body, batchItemsMax);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

function answerBody(
  options: HttpOptions,
  request: HttpRequest,
  body: ReadBody,
  { pause, identify }: Shared,
): HttpReply | Promise<HttpReply> {
  const bytes = request.body.length;
  request.release();
  if (body.kind === 'empty') return json(request, '');
  if (body.kind === 'failed') return json(request, body.text);
  if (body.kind === 'too-large') {
    return refused(options, tooLarge({ bodyBytesMax: body.bytesMax }, bytes));
  }
  const isBatch = body.kind === 'batch';
  const caller: Caller = {
    from: request.from,
    isRefused: false,
    identify: () => identify(request.fields),
  };
  const run = (call: Call): Outcome | Promise<Outcome> => runCall(options, call, caller);
  const answered = answerItems(isBatch ? body.items : [body.item], isBatch, run, pause);
  const reply = (said: string): HttpReply => {
    const told = json(request, said);
    return caller.isRefused && !isBatch ? unauthorized(told) : told;
  };
  return typeof answered === 'string' ? reply(answered) : answered.then(reply);
}

/** Judges callers of admin methods by the headers of their requests. */
function identifier({ gate, hostname }: HttpOptions): Shared['identify'] {
  if (gate === undefined) return () => anybody;
  const pageSign = pageDetector(hostname);
  return (fields) =>
    gate.identify({
      authorization: fields.get('authorization') ?? null,
      pageSign: pageSign({ origin: fields.get('origin'), host: fields.get('host') }),
    });
}

/** Longest time for items of batches in a row, milliseconds; then everything else has its turn. */
const batchSliceMs = 10;

/** The turns of all batches of a server: one of them runs at a time. */
function batchTurns(): () => Promise<void> | null {
  const waiting: (() => void)[] = [];
  let began = performance.now();
  const next = (): void => {
    began = performance.now();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () => {
    if (waiting.length === 0 && performance.now() - began < batchSliceMs) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
    return promise;
  };
}

/** Who sent a request. */
interface Caller {
  readonly from: string;
  /** A call of it was refused for want of a proof of identity. */
  isRefused: boolean;
  identify(): Identity;
}

/** The answers to a batch may differ, so only a call on its own takes its status from its outcome. */
function unauthorized(reply: HttpReply): HttpReply {
  return {
    ...reply,
    status: 401,
    headers: `${reply.headers}WWW-Authenticate: Bearer realm="conductor admin methods"\r\n`,
  };
}

function runCall(options: HttpOptions, call: Call, caller: Caller): Outcome | Promise<Outcome> {
  const { metrics } = options;
  const began = performance.now();
  const resolved = resolveCall(call, options.dispatch, () => caller.identify());
  // Only names from the table become labels, so that callers cannot make up series.
  const labels = labelsOf(resolved.method ?? 'other');
  metrics.count('rpc_server_requests_total', labels);
  metrics.count('rpc_server_params_size_total', labels, call.params.text.length + (call.params.cutBytes ?? 0));
  const finish = (outcome: Outcome): Outcome => {
    metrics.observe('rpc_server_request_duration_seconds', (performance.now() - began) / 1000, labels);
    const error = outcome.kind === 'error' ? `rpc_${outcome.code}` : '<nil>';
    metrics.count('rpc_server_responses_total', answerLabelsOf(labels.method, error));
    if (outcome.kind === 'result') metrics.count('rpc_server_results_size_total', labels, outcome.json.length);
    return outcome;
  };
  if (resolved.kind === 'answered') {
    recordRefusal(options, call, caller, resolved);
    return finish(resolved.outcome);
  }
  const outcome = options.invoke({ ...resolved, from: caller.from });
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

interface CallLabels {
  readonly rpc: 'main';
  readonly method: string;
}
interface AnswerLabels extends CallLabels {
  readonly error: string;
}
const callLabels = new Map<string, CallLabels>();
const answerLabels = new Map<string, AnswerLabels>();

/** Labels of a call; the same object for the same call, which makes counting cheap. Methods and codes are few. */
function labelsOf(method: string): CallLabels {
  const known = callLabels.get(method);
  if (known !== undefined) return known;
  const labels: CallLabels = { rpc: 'main', method };
  callLabels.set(method, labels);
  return labels;
}

function answerLabelsOf(method: string, error: string): AnswerLabels {
  const key = `${method} ${error}`;
  const known = answerLabels.get(key);
  if (known !== undefined) return known;
  const labels: AnswerLabels = { rpc: 'main', method, error };
  answerLabels.set(key, labels);
  return labels;
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

/** A GET without body or query is somebody looking whether we are there. */
function isProbe({ method, length, query }: RequestHead): boolean {
  return method === 'GET' && length === 0 && query === '';
}

function refusalOf(options: HttpOptions, head: RequestHead): HttpReply | null {
  const { method, length, fields } = head;
  if (method === 'PUT' || method === 'DELETE') return plain(405, 'method not allowed\n');
  if (length !== 'chunked' && length > options.bodyBytesMax) return tooLarge(options, length);
  if (method === 'OPTIONS' || isProbe(head)) return null;
  const type = fields.get('content-type') ?? '';
  const isAccepted = type === 'application/json' || acceptedType.test(type);
  return isAccepted ? null : plain(415, 'invalid content type, only application/json is supported\n');
}

const acceptedType = /^application\/(json|json-rpc|jsonrequest)\s*(;[^;]+)*;?$/i;

function refused(options: HttpOptions, refusal: HttpReply): HttpReply {
  options.metrics.count('http_rejected_total', { status: String(refusal.status) });
  return refusal;
}

/** `bytes` is null where the client did not say how many would come. */
function tooLarge({ bodyBytesMax }: Pick<HttpOptions, 'bodyBytesMax'>, bytes: number | null): HttpReply {
  const said = bytes === null ? `more than ${bodyBytesMax}` : `${bytes}>${bodyBytesMax}`;
  return plain(413, `content length too large (${said})\n`);
}
