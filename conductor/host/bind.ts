/** Starts a server, and says in op-conductor's words why one could not be started. */
import { messageOf, StartupError } from '#conductor/core/errors';

/**
 * Runs `listen`; throws StartupError naming the server and its address ("host:port") where that fails. `whereTaken` says
 * what to do about an address that another program has.
 */
export function bind<Server>(address: string, what: string, listen: () => Server, whereTaken = ''): Server {
  try {
    return listen();
  } catch (thrown) {
    const isTaken = (thrown as { code?: unknown }).code === 'EADDRINUSE';
    const advice = whereTaken === '' ? '' : `: ${whereTaken}`;
    const why = isTaken ? `bind: address already in use${advice}` : messageOf(thrown);
    throw new StartupError(
      `failed to start ${what} server: failed to bind to address "${address}": listen tcp ${address}: ${why}`,
      { cause: thrown },
    );
  }
}
