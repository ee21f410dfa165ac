/**
 * JSON-RPC over HTTP as the operators' tool speaks it: one POST per call or batch, a deadline on each, answers
 * bounded, redirects refused (a token must not follow them), credentials from files or from the URL.
 */
import { ClusterConfigError, noCredentials, type Credentials } from './cluster-config.ts';
import { connectionFailure } from './connection-failure.ts';
import { readCertificates, readCredentialFile, readPrivateKey } from './pem-file.ts';
import { printable } from './printable.ts';

/** Largest answer read, bytes: memberships and statuses are a few kilobytes. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** Longest message of a server that is repeated to the operator, characters. */
const MESSAGE_LENGTH_MAX = 500;
const METHOD_UNKNOWN = -32601;

/** A call without a result. `code` is the server's, or null when no JSON-RPC answer came: it may have happened or not. */
export class RpcCallError extends Error {
  readonly code: number | null;

  constructor(message: string, code: number | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Nobody knows whether the call had its effect. */
  get isUnanswered(): boolean {
    return this.code === null;
  }
}

/** Whether what was called may have happened although the call failed. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof RpcCallError && error.isUnanswered;
}

/** Whether nobody listens there: it did not happen, and what would answer does not run. */
export function isRefusedConnection(error: unknown): boolean {
  const { code } = ((error instanceof RpcCallError ? error.cause : null) ?? {}) as { code?: unknown };
  return code === 'ECONNREFUSED' || code === 'ConnectionRefused';
}

/** What one call of a batch came to. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The server knows no such method, or does not offer it. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string };

interface Target {
  readonly url: string;
  readonly init: BunFetchRequestInit;
}

/** One server's JSON-RPC. */
export class RpcEndpoint {
  readonly #target: Target;

  /** Reads the files of the credentials; throws ClusterConfigError for one that cannot be read. */
  constructor(url: string, credentials: Credentials = noCredentials) {
    this.#target = targetOf(url, credentials);
  }

  /** The result of a method; throws RpcCallError. `timeoutMs` includes connecting and reading. */
  async call(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown> {
    const answer = readAnswer(await this.#post({ jsonrpc: '2.0', id: 0, method, params }, timeoutMs), method);
    if (answer.kind === 'result') return answer.result;
    throw new RpcCallError(answer.message, answer.kind === 'unknown' ? METHOD_UNKNOWN : -32000);
  }

  /** Several methods without parameters in one request, answers in order; throws RpcCallError when nobody answers. */
  async batch(methods: readonly string[], timeoutMs: number): Promise<Answer[]> {
    const calls = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
    const body = await this.#post(calls, timeoutMs);
    if (!Array.isArray(body)) return methods.map((method) => readAnswer(body, method));
    return methods.map((method, id) =>
      readAnswer(
        body.find((one: { id?: unknown } | null) => one?.id === id),
        method,
      ),
    );
  }

  /** Status and text of a page beside the JSON-RPC, such as "/readyz"; throws RpcCallError when nobody answers. */
  async page(path: string, timeoutMs: number): Promise<{ readonly status: number; readonly text: string }> {
    const { url, init } = this.#target;
    return this.#fetch(pageUrl(url, path), { ...init, method: 'GET' }, timeoutMs);
  }

  /** An answer that goes on, for whoever reads it and ends it by the signal; rejects when nobody answers. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const { url, init } = this.#target;
    const all = { ...(init.headers as Record<string, string>), ...headers };
    return fetch(pageUrl(url, path), { ...init, headers: all, method: 'GET', signal });
  }

  async #post(body: unknown, timeoutMs: number): Promise<unknown> {
    const { url, init } = this.#target;
    const { status, text } = await this.#fetch(url, { ...init, method: 'POST', body: JSON.stringify(body) }, timeoutMs);
    try {
      return JSON.parse(text);
    } catch (error) {
      const code = status >= 400 && status < 500 ? -32000 : null;
      throw new RpcCallError(`${new URL(url).host} answered HTTP status ${status} without JSON`, code, {
        cause: error,
      });
    }
  }

  async #fetch(
    url: string,
    init: BunFetchRequestInit,
    timeoutMs: number,
  ): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      return { status: response.status, text: await boundedText(response) };
    } catch (error) {
      throw new RpcCallError(`${new URL(url).host}: ${connectionFailure(error, timeoutMs)}`, null, { cause: error });
    }
  }
}

/** Below the path of the URL, by which a proxy may tell servers apart; a URL that names the page already is left as it is. */
function pageUrl(url: string, path: string): string {
  const page = new URL(url);
  const base = page.pathname.replace(/\/+$/, '');
  if (!base.endsWith(path)) page.pathname = `${base}${path}`;
  return page.href;
}

function targetOf(text: string, credentials: Credentials): Target {
  const url = new URL(text);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (credentials.tokenFile !== null) headers['authorization'] = `Bearer ${readToken(credentials.tokenFile)}`;
  else if (url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  url.username = '';
  url.password = '';
  const { caFile, clientCertFile, clientKeyFile } = credentials;
  const tls = {
    ...(caFile === null ? {} : { ca: readCertificates(caFile, 'ca-file') }),
    ...(clientCertFile === null ? {} : { cert: readCertificates(clientCertFile, 'client-cert-file') }),
    ...(clientKeyFile === null ? {} : { key: readPrivateKey(clientKeyFile, 'client-key-file') }),
  };
  return { url: url.href, init: { headers, redirect: 'error', keepalive: false, tls } };
}

/** The token in a file: its only word, or the second of a line "name token". */
function readToken(path: string): string {
  const words = (readCredentialFile(path, 'token-file').trim().split('\n')[0] ?? '').trim().split(/\s+/);
  const token = words.at(-1) ?? '';
  if (token === '' || words.length > 2)
    throw new ClusterConfigError(`"token-file": ${path} must hold one token, alone or after a name`);
  if (token.startsWith('sha256:'))
    throw new ClusterConfigError(`"token-file": ${path} holds the digest of a token; the tool needs the token itself`);
  return token;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAnswer(value: unknown, method: string): Answer {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'error', message: `${method} was not answered` };
  const { error, result } = value as { error?: { code?: unknown; message?: unknown } | null; result?: unknown };
  if (error === undefined || error === null) return { kind: 'result', result: result ?? null };
  const text = typeof error.message === 'string' ? error.message : 'an error without a message';
  const message = printable(text).slice(0, MESSAGE_LENGTH_MAX);
  return { kind: error.code === METHOD_UNKNOWN ? 'unknown' : 'error', message };
}
