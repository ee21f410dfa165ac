/**
 * "host:port" as hashicorp/raft and Go write it: a name, an IPv4 address, or an IPv6 address in
 * brackets. An advertised address is text from the log, so it may be anything.
 */
import { isIP } from 'node:net';

const PORT_MAX = 65_535;

export interface HostPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Is `host` an address, so that nothing needs to be resolved? */
  readonly isLiteral: boolean;
}

/** Splits an address; null when it is not one that can be dialled. */
export function parseHostPort(address: string): HostPort | null {
  const colon = address.lastIndexOf(':');
  if (colon < 1) return null;
  const digits = address.slice(colon + 1);
  if (!/^\d{1,5}$/.test(digits)) return null;
  const port = Number(digits);
  if (port === 0 || port > PORT_MAX) return null;
  const written = address.slice(0, colon);
  const isBracketed = written.startsWith('[') && written.endsWith(']');
  const host = isBracketed ? written.slice(1, -1) : written;
  const family = isIP(host);
  if (isBracketed ? family !== 6 : host.includes(':')) return null;
  return { host, port, isLiteral: family !== 0 };
}
