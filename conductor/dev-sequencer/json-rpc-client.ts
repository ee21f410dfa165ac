/**
 * A small JSON-RPC 2.0 client over HTTP for the development tools: one POST per call, a deadline
 * on each, no connection kept (a peer may be killed or frozen at any moment), answers bounded.
 */
import { messageOf } from '#conductor/core/errors';

/** Largest answer read, in bytes; twice the hex of a 16 MB block with room for its envelope. */
const ANSWER_BYTES_MAX = 96 * 1024 * 1024;

/** One server and how long to wait for it. */
export interface RpcTarget {
  /** "http://host:port". */
  readonly url: string;
  /** Milliseconds from the call to its failure, connecting and reading included. */
  readonly timeoutMs: number;
}

let lastId = 0;

/** Calls a method and returns its result. Throws: server error, no connection, deadline, or nonsense. */
export async function callRpc(target: RpcTarget, method: string, params: readonly unknown[] = []): Promise<unknown> {
  lastId += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
  return readResult(await post(target, body), method);
}

async function post(target: RpcTarget, body: string): Promise<unknown> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: false,
      signal: AbortSignal.timeout(target.timeoutMs),
    });
    const length = Number(response.headers.get('content-length') ?? 0);
    if (length > ANSWER_BYTES_MAX) {
      throw new Error(`answer of ${length} bytes is over the limit of ${ANSWER_BYTES_MAX}`);
    }
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await response.json();
  } catch (error) {
    throw new Error(`${target.url} did not answer: ${messageOf(error)}`, { cause: error });
  }
}

function readResult(answer: unknown, method: string): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new Error(`the answer to ${method} is not a JSON-RPC object`);
  }
  if ('error' in answer && typeof answer.error === 'object' && answer.error !== null) {
    const { message } = answer.error as { message?: unknown };
    throw new Error(typeof message === 'string' ? message : 'error without a message');
  }
  return 'result' in answer ? answer.result : null;
}

/** Calls several methods without parameters in one request. A method that failed, or a server that did not answer, gives null. */
export async function callRpcBatch(target: RpcTarget, methods: readonly string[]): Promise<unknown[]> {
  const calls = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
  const results: unknown[] = methods.map(() => null);
  try {
    const answers = await post(target, JSON.stringify(calls));
    for (const one of Array.isArray(answers) ? answers : []) {
      const { id, result } = (one ?? {}) as { id?: unknown; result?: unknown };
      if (typeof id === 'number' && id in results) results[id] = result ?? null;
    }
  } catch {
    // Nobody answers: all stay null.
  }
  return results;
}
