/**
 * The listener behind the port in mixed mode: it speaks TLS on loopback, and gets every connection that began with a
 * handshake, through a relay. Its own bounds on connections hold for those; a relay ends with its connection.
 */
import { TlsRelay } from './tls-relay.ts';

type Listener = Pick<Bun.TCPSocketListener, 'port' | 'stop'>;

export class TlsCarrier {
  #listener: Listener;
  readonly #relays = new Set<TlsRelay>();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Carries `front` on; `first` was read from it. */
  carry(front: Bun.Socket<unknown>, first: Uint8Array): TlsRelay {
    const relay = new TlsRelay(front, first, this.#listener.port, (ended) => void this.#relays.delete(ended));
    this.#relays.add(relay);
    return relay;
  }

  /** Another listener for what comes from now on. */
  replace(listener: Listener): void {
    this.#listener.stop(false);
    this.#listener = listener;
  }

  close(): void {
    this.#listener.stop(false);
    for (const relay of this.#relays) relay.close();
  }
}
