/**
 * Before a body is read: which methods, lengths and content types are taken, answered in the words of the
 * server we replace.
 */
import { plain, preflight } from './pages.ts';
import { queryOf } from './server.ts';

const acceptedType = /^application\/(json|json-rpc|jsonrequest)\s*(;[^;]+)*;?$/i;

export interface BodyLimitOptions {
  readonly bodyBytesMax: number;
  /** Is told the status of each request that is refused. */
  refused(status: number): void;
}

/** The answer to a request whose body is not read, null to all others. Preflights are answered here. */
export function answerUnread(request: Request, { bodyBytesMax, refused }: BodyLimitOptions): Response | null {
  if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) return preflight(request);
  const refusal = refusalOf(request, bodyBytesMax);
  if (refusal !== null) refused(refusal.status);
  return refusal;
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
