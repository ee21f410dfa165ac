/**
 * One JSON-RPC request over HTTP, to its end: with a deadline and a bound on the answer's size. Health probes use a
 * connection of their own, so that a half-dead one is never reused; all others share kept-alive ones.
 */
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import { messageOf } from '#conductor/core/errors';
import { shownUrl } from '#conductor/core/shown-url';
import { answerBytes } from './answer-bytes.ts';
import { Deadline } from './deadline.ts';
import { interpret } from './interpret-answer.ts';

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
    const answer = await answerBytes(request, response);
    if (typeof answer === 'string') return { kind: 'failed', reason: 'malformed', message: answer };
    using body = answer;
    const { bytes } = body;
    if (isFetched(request)) return { kind: 'result', value: { status: response.status, body: bytes.toString('utf8') } };
    return interpret(request, { url, response, bytes });
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

/** Answers come as they are: a few kilobytes can become a gigabyte when they are unpacked. */
const asItIs = { 'Accept-Encoding': 'identity' };

function contentOf(request: NodeRequest, headers?: Readonly<Record<string, string>>): BunFetchRequestInit {
  if (isFetched(request)) return { method: 'GET', headers: asItIs, decompress: false, redirect: 'follow' };
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...asItIs, ...headers },
    body: `{"jsonrpc":"2.0","id":1,"method":"${request.method}","params":${request.params}}`,
    decompress: false,
    redirect: 'manual',
  };
}

function failure(url: string, request: NodeRequest, thrown: unknown, isTimeout: boolean): CallResult {
  const where = `${isFetched(request) ? 'Get' : 'Post'} "${shownUrl(url)}"`;
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
