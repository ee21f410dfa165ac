/**
 * Carries the bytes of one accepted connection to a listener that speaks TLS, and back. The runtime cannot begin TLS on
 * a connection whose first bytes were looked at; this can. What one side does not take is not read from the other.
 */
import { SendQueue } from './send-queue.ts';

/** What a peer gets to read the last bytes and to close its side; without, it could hold connections that nobody counts. */
const LINGER_MS = 1000;

export class TlsRelay {
  readonly #front: Bun.Socket<unknown>;
  readonly #toFront = new SendQueue();
  readonly #toBack = new SendQueue();
  readonly #ended: (relay: TlsRelay) => void;
  #back: Bun.Socket<unknown> | null = null;
  #isFrontGone = false;
  #isBackGone = false;
  #linger: ReturnType<typeof setTimeout> | null = null;

  /** `first` was read already. `ended` is called once. */
  constructor(front: Bun.Socket<unknown>, first: Uint8Array, port: number, ended: (relay: TlsRelay) => void) {
    this.#front = front;
    this.#ended = ended;
    this.#toBack.add([first]);
    front.pause();
    // The rejection repeats what connectError was told.
    Bun.connect({ hostname: '127.0.0.1', port, allowHalfOpen: false, socket: this.#backHandlers() }).catch(() =>
      this.#backEnded(),
    );
  }

  /** The peer sent more. */
  received(chunk: Uint8Array): void {
    this.#toBack.add([chunk]);
    this.#flushToBack();
  }

  /** The peer's socket has room. */
  drained(): void {
    this.#flushToFront();
  }

  /** The peer's socket is closed. */
  gone(): void {
    if (this.#isFrontGone) return;
    this.#isFrontGone = true;
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#toFront.clear();
    this.#back?.end();
    this.#ended(this);
  }

  close(): void {
    this.#front.terminate();
  }

  #backHandlers(): Bun.SocketHandler<unknown> {
    return {
      binaryType: 'uint8array',
      open: (socket) => {
        this.#back = socket;
        socket.setNoDelay(true);
        if (this.#isFrontGone) socket.terminate();
        else this.#flushToBack();
      },
      data: (_socket, chunk) => {
        this.#toFront.add([chunk]);
        this.#flushToFront();
      },
      drain: () => this.#flushToBack(),
      close: () => this.#backEnded(),
      connectError: () => this.#backEnded(),
      // Followed by close.
      error: () => undefined,
    };
  }

  #flushToBack(): void {
    if (this.#back === null || this.#isFrontGone) return;
    if (this.#toBack.flush(this.#back) === 'full') this.#front.pause();
    else this.#front.resume();
  }

  /** Also the last of what the other side wrote before it ended. */
  #flushToFront(): void {
    if (this.#isFrontGone) return;
    const isFull = this.#toFront.flush(this.#front) === 'full';
    if (this.#isBackGone) {
      if (!isFull) this.#front.end();
    } else if (isFull) this.#back?.pause();
    else this.#back?.resume();
  }

  #backEnded(): void {
    if (this.#isBackGone) return;
    this.#isBackGone = true;
    if (this.#isFrontGone) return;
    this.#linger = setTimeout(() => this.close(), LINGER_MS);
    this.#flushToFront();
  }
}
