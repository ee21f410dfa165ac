/**
 * The ways to a peer, in the order in which a dial tries them: its addresses, and in mixed mode each with TLS and then
 * without. A fallback is only for a peer that is there and takes no TLS, or not ours; nobody listening is final.
 */
import type { Failure } from './failure.ts';
import type { TlsSettings } from './tls.ts';

export interface Route {
  readonly address: string;
  /** Null for plain text. */
  readonly tls: TlsSettings | null;
}

/** In mixed mode `skipsTls` leaves plain text only. */
export function dialRoutes(addresses: readonly string[], tls: TlsSettings | null, skipsTls: boolean): Route[] {
  const isMixed = tls?.isMixed === true;
  const ways = isMixed ? (skipsTls ? [null] : [tls, null]) : [tls];
  return addresses.flatMap((address) => ways.map((way) => ({ address, tls: way })));
}

/** What is left of `others` once `route` has failed. */
export function routesAfter({ reason }: Failure, { address }: Route, others: readonly Route[]): Route[] {
  const isThere = reason !== 'refused' && reason !== 'unreachable';
  return others.filter((other) => isThere || other.address !== address);
}
