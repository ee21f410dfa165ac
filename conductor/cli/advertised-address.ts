/**
 * The raft address that other servers are told (--consensus.advertised), refused in op-conductor's words where they
 * could not reach it.
 */
import { invalid } from './config-values.ts';

/** host:port told to the others, checked; '' means the bound address, which must then be a usable one. Throws ConfigError. */
export function advertisedAddress(address: string, bound: string): string {
  if (address === '') {
    if (/^(0\.0\.0\.0|::|\[::\])$/.test(bound)) {
      invalid(
        `local bind address is not advertisable: others cannot reach ${bound}; give --consensus.advertised=<host>:<port>`,
      );
    }
    return '';
  }
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d*)$/.exec(address);
  if (match === null)
    return invalid(
      `failed to resolve advertised TCP address "${address}": address ${address}: missing port in address`,
    );
  if (match[3] === '' || Number(match[3]) > 65_535) {
    return invalid(`failed to resolve advertised TCP address "${address}": address ${match[3]}: invalid port`);
  }
  const host = match[1] ?? match[2] ?? '';
  if (host === '' || host === '0.0.0.0' || host === '::')
    invalid(`local bind address is not advertisable: "${address}" names no host`);
  return address;
}
