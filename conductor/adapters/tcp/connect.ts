/**
 * One attempt at one address: Bun.connect with the socket handlers of an outbound connection.
 * A TLS connection counts as open only when the handshake is over and the certificate is the one of
 * the server that was asked for; that is decided on `socket.authorized` and the names, never on the
 * handshake's success flag, which says only that there was a handshake.
 */
import { messageOf } from '#conductor/core/errors';
import { closeFailure, connectFailure, type Failure } from './failure.ts';
import { peerNames, readTlsMaterial, type TlsSettings } from './tls.ts';

/** What happens to a connection once it is open. */
export interface ConnectionEvents {
  data(chunk: Uint8Array): void;
  drain(): void;
  /** It ended, by the peer, the network or our own close. */
  lost(failure: Failure): void;
}

export interface Attempt {
  readonly hostname: string;
  readonly port: number;
  readonly peerId: string;
  readonly tls: TlsSettings | null;
  readonly now: () => number;
  readonly events: ConnectionEvents;
  /** Aborted once the connection would come too late: it is then closed without a word, as far as it has come. */
  readonly signal: AbortSignal;
  succeeded(socket: Bun.Socket<unknown>): void;
  /** May be called more than once, also inside `connect`; the first counts. */
  failed(failure: Failure): void;
}

/** A peer that closes within this time after the handshake, without a byte, has not accepted our certificate. */
const VERDICT_MS = 1000;

/** Starts connecting. */
export function connect(attempt: Attempt): void {
  try {
    const tls = attempt.tls === null ? null : readTlsMaterial(attempt.tls);
    const connection = new Connection(attempt, tls !== null);
    const secured = tls === null ? {} : { tls: { ...tls, serverName: attempt.peerId } };
    const { hostname, port } = attempt;
    // The rejection repeats what connectError was told.
    Bun.connect({ hostname, port, allowHalfOpen: false, socket: connection.handlers(), ...secured }).catch(
      (error: unknown) => attempt.failed(optionFailure(attempt, error)),
    );
    connection.hasReturned();
  } catch (error) {
    attempt.failed(optionFailure(attempt, error));
  }
}

/** Bun did not take the options: with TLS, files that hold no certificate or key. */
function optionFailure(attempt: Attempt, error: unknown): Failure {
  return { reason: attempt.tls === null ? 'unreachable' : 'unauthorized', message: messageOf(error) };
}

class Connection {
  readonly #attempt: Attempt;
  readonly #isTls: boolean;
  readonly #startedMs: number;
  #isSynchronous = true;
  #isReady = false;
  #readyMs = 0;
  #hasReceived = false;
  #tlsError: Error | null = null;

  constructor(attempt: Attempt, isTls: boolean) {
    this.#attempt = attempt;
    this.#isTls = isTls;
    this.#startedMs = attempt.now();
  }

  hasReturned(): void {
    this.#isSynchronous = false;
  }

  handlers(): Bun.SocketHandler<unknown> {
    const { events } = this.#attempt;
    const handlers: Bun.SocketHandler<unknown> = {
      binaryType: 'uint8array',
      open: (socket) => {
        if (this.#attempt.signal.aborted) socket.terminate();
        else if (this.#isTls) this.#closeWhenAborted(socket);
        else this.#ready(socket);
      },
      data: (_socket, chunk) => {
        if (!this.#isReady) return;
        this.#hasReceived = true;
        events.data(chunk);
      },
      drain: () => {
        if (this.#isReady) events.drain();
      },
      error: (_socket, error) => {
        this.#tlsError = error;
      },
      close: (_socket, error) => this.#closed(error),
      connectError: (_socket, error) => {
        const elapsedMs = this.#attempt.now() - this.#startedMs;
        this.#attempt.failed(connectFailure(error, { isSynchronous: this.#isSynchronous, elapsedMs }));
      },
    };
    if (this.#isTls) handlers.handshake = (socket, _success, error) => this.#shookHands(socket, error);
    return handlers;
  }

  /** Nothing else ends a handshake that the other side never begins. */
  #closeWhenAborted(socket: Bun.Socket<unknown>): void {
    this.#attempt.signal.addEventListener('abort', () => socket.terminate());
  }

  #shookHands(socket: Bun.Socket<unknown>, error: Error | null): void {
    const { peerId } = this.#attempt;
    const names = peerNames(socket);
    if (names.includes(peerId)) {
      this.#ready(socket);
      return;
    }
    const message = error?.message ?? `the certificate is for ${names.join(', ') || 'nobody'}, not for ${peerId}`;
    this.#attempt.failed({ reason: 'unauthorized', message });
    socket.terminate();
  }

  #ready(socket: Bun.Socket<unknown>): void {
    if (this.#attempt.signal.aborted) {
      socket.terminate();
      return;
    }
    this.#isReady = true;
    this.#readyMs = this.#attempt.now();
    this.#attempt.succeeded(socket);
  }

  #closed(error: Error | undefined): void {
    const failure = this.#closeFailure(error);
    if (this.#isReady) this.#attempt.events.lost(failure);
    else this.#attempt.failed(failure);
  }

  #closeFailure(error: Error | undefined): Failure {
    if (this.#tlsError !== null) return { reason: 'unauthorized', message: this.#tlsError.message };
    const isVerdict =
      this.#isTls && this.#isReady && !this.#hasReceived && this.#attempt.now() - this.#readyMs < VERDICT_MS;
    if (!isVerdict) return closeFailure(error);
    return { reason: 'unauthorized', message: 'closed by the peer right after the TLS handshake' };
  }
}
