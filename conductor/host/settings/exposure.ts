/**
 * What a configuration lays open to the network, as warnings for the start: op-conductor's defaults are
 * kept, so an operator must at least be told what they mean.
 */
import { isLoopback } from '#conductor/adapters/system/loopback';
import type { Logger } from '#conductor/core/ports';
import type { RunConfig } from './flags-config.ts';

type Exposed = Pick<RunConfig, 'rpc' | 'isAdminEnabled' | 'auth' | 'consensus' | 'tls'>;

/** Logs one warning per door that stands open beyond this machine. */
export function warnOfExposure(config: Exposed, logger: Logger): void {
  const { rpc, isAdminEnabled, auth, consensus, tls } = config;
  if (isAdminEnabled && auth === null && !isLoopback(rpc.hostname)) {
    logger.log(
      'warn',
      'ADMIN METHODS ARE OPEN: whoever reaches this address can stop this conductor and change the cluster; ' +
        'set --rpc.auth.tokens-file or --rpc.auth.jwt-secret, or bind --rpc.addr to loopback',
      { addr: `${rpc.hostname}:${rpc.port}` },
    );
  }
  if (auth !== null && !isAdminEnabled) {
    logger.log(
      'warn',
      'admin methods are off, so nobody needs the credentials of --rpc.auth; --rpc.enable-admin turns them on',
    );
  }
  if (tls?.isMixed === true && !isLoopback(consensus.hostname)) {
    logger.log(
      'warn',
      'the raft port takes plain text beside TLS, so whoever reaches this address can depose leaders and write to the ' +
        'log; once no conductor has plain connections left, drop --consensus.tls.mode=mixed',
      { addr: `${consensus.hostname}:${consensus.port}` },
    );
  }
  if (tls === null && !isLoopback(consensus.hostname)) {
    logger.log(
      'warn',
      'the raft port has no authentication: whoever reaches this address can depose leaders and write to the log; ' +
        'set --consensus.tls.* on all conductors, or keep the port on a private network',
      { addr: `${consensus.hostname}:${consensus.port}` },
    );
  }
}

/** What web pages may do here, in a sentence; null where admin methods are off. */
export function pageAccess({
  rpc,
  isAdminEnabled,
  auth,
}: Pick<Exposed, 'rpc' | 'isAdminEnabled' | 'auth'>): string | null {
  if (!isAdminEnabled) return null;
  const signs = isLoopback(rpc.hostname) ? 'an Origin header, or a Host that is not this machine' : 'an Origin header';
  const proof = auth === null ? 'are refused' : 'need a token or a JWT, as all admin calls do';
  return `admin calls of web pages (with ${signs}) ${proof}`;
}
