/**
 * One JSON-RPC request over HTTP, to its end: with a deadline and a bound on the answer's size. Health probes use a
 * connection of their own, so that a half-dead one is never reused; all others share kept-alive ones.
 */
import type { CallResult, FailedReason, NodeRequest } from '#conductor/core/node/calls';
import { messageOf } from '#conductor/core/errors';
import { withOwnHash } from '#conductor/core/payload/header-hash';
import { membersOf, skipSpace } from '#conductor/core/rpc/raw-json';
import { withoutUser } from '#conductor/core/shown-url';
import { Deadline } from './deadline.ts';

/** Largest answer that is read for its value: a header with the hashes of 450 000 transactions. */
const answerBytesMax = 32 * 1024 * 1024;
/** Largest answer that is passed on: a block of 20 MB with all its transactions as JSON. */
const verbatimBytesMax = 64 * 1024 * 1024;
/** Answers being read at a time, all together, in bytes; those that come on top are given up. */
const readingBytesMax = 256 * 1024 * 1024;
/** Of longer answers that are passed on the result is only found, not parsed, characters. */
const parsedLengthMax = 8 * 1024 * 1024;
/** Longest piece of a body quoted in an error, in characters. */
const statusTextMax = 200;
/** Redirects followed on the way of one request. */
const redirectsMax = 4;

export interface PostOptions {
  readonly cancel?: AbortSignal;
  /** Sent besides the usual ones; never part of a message. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs one request to its end; never rejects. */
export async function postCall(url: string, request: NodeRequest, options: PostOptions = {}): Promise<CallResult> {
  using deadline = new Deadline(request.timeoutMs);
  const { cancel } = options;
  try {
    const response = await fetchFollowed(url, request.target === 'engine' ? 0 : redirectsMax, {
      ...contentOf(request, options.headers),
      keepalive: request.isProbe !== true,
      signal: cancel === undefined ? deadline.signal : AbortSignal.any([deadline.signal, cancel]),
    });
    const bytesMax = request.isVerbatim === true ? verbatimBytesMax : answerBytesMax;
    const text = await readBounded(response, bytesMax);
    if (text === null) {
      const bound = `${bytesMax} bytes, or all answers together than ${readingBytesMax}`;
      return {
        kind: 'failed',
        reason: 'malformed',
        message: `the answer of ${request.method} is larger than ${bound}`,
      };
    }
    if (isFetched(request)) return { kind: 'result', value: { status: response.status, body: text } };
    return interpret(request, response, text);
  } catch (thrown) {
    return failure(url, request, thrown, deadline.signal.aborted);
  }
}

/**
 * Sends the same request again where a status says so, as Go does. The user and password of a URL go along with a relative
 * redirect alone; the token of the engine API, which has no hops, goes nowhere.
 */
async function fetchFollowed(url: string, hopsMax: number, init: BunFetchRequestInit): Promise<Response> {
  let target = url;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(target, init);
    const location = response.status === 307 || response.status === 308 ? response.headers.get('Location') : null;
    const next = location && hops < hopsMax ? URL.parse(location, target) : null;
    if (next === null || !/^https?:$/.test(next.protocol)) return response;
    await response.body?.cancel();
    target = next.href;
  }
}

function isFetched(request: NodeRequest): boolean {
  return request.target === 'rollupBoost';
}

function contentOf(request: NodeRequest, headers?: Readonly<Record<string, string>>): RequestInit {
  if (isFetched(request)) return { method: 'GET', redirect: 'follow' };
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: `{"jsonrpc":"2.0","id":1,"method":"${request.method}","params":${request.params}}`,
    redirect: 'manual',
  };
}

function interpret(request: NodeRequest, response: Response, text: string): CallResult {
  if (request.isVerbatim === true && text.length > parsedLengthMax && response.ok) {
    const value = rawMember(text, 'result');
    if (value !== undefined) return { kind: 'result', value };
  }
  const reason: FailedReason = response.status === 401 || response.status === 403 ? 'unauthorized' : 'malformed';
  // Some clients refuse a token in JSON (Nethermind); of the others, who are shown no token, an error is an answer.
  if (reason === 'unauthorized' && request.target === 'engine')
    return { kind: 'failed', reason, message: statusLine(response, text) };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const head = response.ok ? `${request.method} was not answered with JSON` : statusLine(response, text);
    return { kind: 'failed', reason, message: head };
  }
  const { result, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof error === 'object' && error !== null) {
    const { code, message } = error as Record<string, unknown>;
    const data = rawMember(text, 'error', 'data');
    return {
      kind: 'error',
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message : 'error without a message',
      ...(data === undefined || data === 'null' ? {} : { data }),
    };
  }
  if (!response.ok) return { kind: 'failed', reason, message: statusLine(response, text) };
  if (result === undefined) {
    return { kind: 'failed', reason: 'malformed', message: 'JSON-RPC response has no result' };
  }
  if (request.isVerbatim === true) return { kind: 'result', value: rawMember(text, 'result') };
  // Not of L1, whose headers may have fields that a later fork added: they would hash to another block.
  const isRehashed = request.method.startsWith('eth_getBlockBy') && request.target !== 'l1';
  return { kind: 'result', value: isRehashed ? withOwnHash(result) : result };
}

/** JSON text of the value at a path of keys in a text that is known to be valid; of equal keys the last. */
function rawMember(text: string, ...path: string[]): string | undefined {
  let value = text;
  for (const key of path) {
    const start = skipSpace(value, 0);
    const member =
      value[start] === '{' ? membersOf(value, start)?.members.findLast((one) => one.key === key) : undefined;
    if (member === undefined) return undefined;
    value = value.slice(member.start, member.end);
  }
  return value;
}

/** Status and the beginning of the body, in the words of Go's client. */
function statusLine(response: Response, text: string): string {
  return `${response.status} ${response.statusText}: ${text.slice(0, statusTextMax)}`;
}

/** Bytes of answers that are being read now. */
let readingBytes = 0;

/** The body as text; null when it is larger than the bound, or than what is left for all of them. */
async function readBounded(response: Response, bytesMax: number): Promise<string | null> {
  if (Number(response.headers.get('Content-Length') ?? 0) > bytesMax) {
    await response.body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      readingBytes += chunk.length;
      if (bytes > bytesMax || readingBytes > readingBytesMax) return null; // Leaving the loop cancels the stream.
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    readingBytes -= bytes;
  }
}

function failure(url: string, request: NodeRequest, thrown: unknown, isTimeout: boolean): CallResult {
  const where = `${isFetched(request) ? 'Get' : 'Post'} "${withoutUser(url)}"`;
  if (isTimeout)
    return {
      kind: 'failed',
      reason: 'timeout',
      message: `${where}: no answer to ${request.method} within ${request.timeoutMs} ms`,
    };
  const code = (thrown as { code?: unknown }).code;
  const address = hostOf(url);
  if (code === 'ConnectionRefused' || code === 'ECONNREFUSED') {
    return { kind: 'failed', reason: 'refused', message: `${where}: dial tcp ${address}: connect: connection refused` };
  }
  return { kind: 'failed', reason: 'unreachable', message: `${where}: ${messageOf(thrown)}` };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
