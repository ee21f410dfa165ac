/**
 * The raft address that other servers are told (--consensus.advertised), refused in op-conductor's words where they
 * could not reach it. Names are kept: they are resolved at each dial, so that a server may move.
 */
import { addressFault, parseHostPort } from '#conductor/adapters/tcp/address';
import type { Resolve } from '#conductor/adapters/tcp/dial';
import type { Logger } from '#conductor/core/ports';
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
  const fault = addressFault(address);
  if (fault !== null) return invalid(`failed to resolve advertised TCP address "${address}": ${fault}`);
  if (/^(0\.0\.0\.0|\[::\])?:\d+$/.test(address))
    invalid(`local bind address is not advertisable: "${address}" names no host`);
  return address;
}

/** Warns when the name in an advertised address is unknown here: others may know it, or it may come later. Never rejects. */
export async function warnOfUnknownName(address: string, resolve: Resolve, logger: Logger): Promise<void> {
  const target = parseHostPort(address);
  if (target === null || target.isLiteral) return;
  try {
    await resolve(target.host);
  } catch {
    logger.log('warn', 'the advertised address cannot be resolved here: others reach this server only if they can', {
      advertised: address,
    });
  }
}
