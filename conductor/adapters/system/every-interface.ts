/** Every interface of this machine, as Go's programs listen on it: by IPv6 and IPv4, also where 0.0.0.0 is written. */
import { networkInterfaces } from 'node:os';

const byBoth = '::';
const byIpv4 = '0.0.0.0';

/** What to open a listener with: the same name or address, but every interface for 0.0.0.0. */
export function listenerHostname(hostname: string): string {
  return hostname === byIpv4 && hasIpv6() ? byBoth : hostname;
}

/** The address of a caller; an IPv4 one as such, also where it came in by a listener for both. */
export function callerAddress(address: string): string {
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;
}

function hasIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return addresses.some(({ family }) => family === 'IPv6');
}
