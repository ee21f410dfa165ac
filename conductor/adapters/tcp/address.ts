/**
 * "host:port" as hashicorp/raft and Go write it: a name, an IPv4 address, or an IPv6 address in
 * brackets; without a host it is this machine. An advertised address is text from the log, so it may be anything.
 */
import { isIP } from 'node:net';

const PORT_MAX = 65_535;
/** What Go dials where there is no host. */
const THIS_MACHINE = '127.0.0.1';

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
  if (colon < 0) return null;
  const digits = address.slice(colon + 1);
  if (!/^\d{1,5}$/.test(digits)) return null;
  const port = Number(digits);
  if (port === 0 || port > PORT_MAX) return null;
  const written = address.slice(0, colon);
  const isBracketed = written.startsWith('[') && written.endsWith(']');
  const host = isBracketed ? written.slice(1, -1) : written || THIS_MACHINE;
  const family = isIP(host);
  if (isBracketed ? family !== 6 : host.includes(':')) return null;
  return { host, port, isLiteral: family !== 0 };
}

/** What is wrong with an address, in Go's words where it has some; null for one that `parseHostPort` takes, or with port 0. */
export function addressFault(address: string): string | null {
  if (address === '') return 'missing address';
  const colon = address.lastIndexOf(':');
  const fault = colon < 0 ? 'missing port in address' : hostFault(address.slice(0, colon), address.slice(colon));
  if (fault !== null) return `address ${address}: ${fault}`;
  const port = address.slice(colon + 1);
  if (port === '') return `address ${address}: missing port in address`;
  if (!/^[+-]?\d+$/.test(port)) return `address ${address}: the port must be a number; names of services are not known`;
  if (Number(port) > PORT_MAX || /^[+-]/.test(port)) return `address ${port}: invalid port`;
  if (Number(port) === 0 || parseHostPort(address) !== null) return null;
  return `address ${address}: not an address that can be dialled`;
}

/** As Go's net.SplitHostPort; `rest` begins with the last colon. */
function hostFault(host: string, rest: string): string | null {
  if (!host.startsWith('[')) return host.includes(':') ? 'too many colons in address' : null;
  const end = (host + rest).indexOf(']');
  if (end < 0) return "missing ']' in address";
  if (end >= host.length) return 'missing port in address';
  if (end === host.length - 1) return null;
  return host[end + 1] === ':' ? 'too many colons in address' : 'missing port in address';
}
