/**
 * Middleware before a body is read: which methods, lengths and content types are taken, answered in the words of the
 * server we replace.
 */
import type { MiddlewareHandler } from 'hono';
import { plain, preflight } from './pages.ts';
import { queryOf, type HttpEnv } from './server.ts';

const acceptedType = /^application\/(json|json-rpc|jsonrequest)\s*(;[^;]+)*;?$/i;

export interface BodyLimitOptions {
  readonly bodyBytesMax: number;
  /** Is told the status of each request that is refused. */
  refused(status: number): void;
}

/** Makes it. Preflights are answered here. */
export function bodyLimit({ bodyBytesMax, refused }: BodyLimitOptions): MiddlewareHandler<HttpEnv> {
  return ({ req: { raw } }, next) => {
    if (raw.method === 'OPTIONS' && raw.headers.has('access-control-request-method'))
      return Promise.resolve(preflight(raw));
    const refusal = refusalOf(raw, bodyBytesMax);
    if (refusal === null) return next();
    refused(refusal.status);
    return Promise.resolve(refusal);
  };
}

function refusalOf(request: Request, bodyBytesMax: number): Response | null {
  const { method, headers } = request;
  if (method === 'PUT' || method === 'DELETE') return plain(405, 'method not allowed\n');
  const length = Number(headers.get('content-length') ?? 0);
  if (length > bodyBytesMax) return tooLarge(bodyBytesMax, length);
  if (method === 'OPTIONS' || isProbe(request)) return null;
  const type = headers.get('content-type') ?? '';
  if (type !== 'application/json' && !acceptedType.test(type))
    return plain(415, 'invalid content type, only application/json is supported\n');
  // The runtime throws the body of these away.
  return method === 'GET' || method === 'HEAD' ? plain(405, 'calls are sent with POST\n') : null;
}

/** A GET without body or query is somebody looking whether we are there. */
export function isProbe(request: Request): boolean {
  const { method, headers } = request;
  if (method !== 'GET' || headers.has('transfer-encoding')) return false;
  return Number(headers.get('content-length') ?? 0) === 0 && queryOf(request) === '';
}

/** `bytes` is null where the client did not say how many would come. */
export function tooLarge(bytesMax: number, bytes: number | null): Response {
  const received = bytes === null ? `more than ${bytesMax}` : `${bytes}>${bytesMax}`;
  return plain(413, `content length too large (${received})\n`);
}
