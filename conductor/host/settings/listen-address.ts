/**
 * Addresses to listen on as operators of op-conductor write them: an empty one means every interface of this machine,
 * and an IPv6 address may stand in brackets, which Go wants for raft and forbids elsewhere.
 */
import { listenerHostname } from '#conductor/adapters/system/every-interface';

/** What to give to a listener: a name, or an address without brackets; never empty. */
export function listenHostname(written: string): string {
  const bare = /^\[(.*)\]$/.exec(written)?.[1] ?? written;
  return bare === '' ? listenerHostname('0.0.0.0') : bare;
}

/** host:port, with an IPv6 address in brackets. */
export function hostAndPort(hostname: string, port: number): string {
  return hostname.includes(':') ? `[${hostname}]:${port}` : `${hostname}:${port}`;
}
