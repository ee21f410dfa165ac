/** Opens the raft port, and says what to do when that fails. */
import { StartupError, messageOf } from '#conductor/core/errors';
import { listenerHostname } from '../system/every-interface.ts';
import type { TlsMaterial } from './tls.ts';

export interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
}

/** Throws StartupError if the address cannot be listened on. */
export function listenOn<Data>(
  { hostname, port }: ListenAddress,
  tls: TlsMaterial | null,
  socket: Bun.SocketHandler<Data | null>,
): Bun.TCPSocketListener<Data | null> {
  try {
    return Bun.listen<Data | null>({
      hostname: listenerHostname(hostname),
      ...{ port, socket, allowHalfOpen: false, data: null },
      ...(tls === null ? {} : { tls: { ...tls } }),
    });
  } catch (error) {
    const advice = 'Choose another address or port, or stop the process that uses it.';
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const why = code === ' (ENOTFOUND)' ? `lookup ${hostname}: no such host` : messageOf(error);
    const message = `the raft transport cannot listen on ${hostname}:${port}: ${why}${code}. ${advice}`;
    throw new StartupError(message, { cause: error });
  }
}
