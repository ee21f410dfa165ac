/** Why a request got no answer, in our words: those of the runtime are advice to programmers. */
import { messageOf } from '#conductor/core/errors';
import { printable } from './printable.ts';

/** Longest reason, characters. */
const REASON_LENGTH_MAX = 300;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ConnectionRefused: 'connection refused',
  ECONNRESET: 'the connection was closed before an answer came',
  ConnectionClosed: 'the connection was closed before an answer came',
  ENOTFOUND: 'the name is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  FailedToOpenSocket: 'the connection could not be opened',
  UnexpectedRedirect: 'it answered with a redirect, which is not followed',
  EPROTO: 'the TLS handshake failed: it speaks no TLS on this port, or wants a client certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not in ca-file',
  SELF_SIGNED_CERT_IN_CHAIN: 'no authority in ca-file vouches for its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no authority in ca-file vouches for its certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'no authority in ca-file vouches for its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'no authority in ca-file vouches for its certificate',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** A few words for what fetch threw after at most `timeoutMs`. */
export function connectionFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `no answer within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '') return printable(messageOf(error)).slice(0, REASON_LENGTH_MAX);
  return reasons[code] ?? `the connection failed (${printable(code).slice(0, REASON_LENGTH_MAX)})`;
}
