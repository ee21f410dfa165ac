/** A client that sends what it is told, byte for byte, and collects what comes back. */
import { createConnection, type Socket } from 'node:net';

/** Longest wait for an answer or the end of a connection, milliseconds. */
const waitMsMax = 10_000;

export class RawClient {
  readonly #socket: Socket;
  #received = '';
  #isClosed = false;
  #changed: (() => void) | null = null;

  /** To a port of this machine, from one of its addresses. */
  constructor(port: number, localAddress = '127.0.0.1') {
    this.#socket = createConnection({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true });
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
      this.#changed?.();
    });
    const closed = (): void => {
      this.#isClosed = true;
      this.#changed?.();
    };
    this.#socket.on('end', closed);
    this.#socket.on('close', closed);
    this.#socket.on('error', closed);
  }

  get received(): string {
    return this.#received;
  }

  /** The server will send nothing more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(bytes: string | Uint8Array): this {
    this.#socket.write(bytes);
    return this;
  }

  /** Says that nothing more will be sent. */
  finish(): this {
    this.#socket.end();
    return this;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves with all that came when `holds` is true of it, or the connection has ended. */
  async until(holds: (received: string) => boolean): Promise<string> {
    const end = performance.now() + waitMsMax;
    while (!this.#isClosed && !holds(this.#received)) {
      const left = end - performance.now();
      if (left <= 0) throw new Error(`waited in vain; so far: ${this.#received.slice(0, 500)}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#changed = resolve;
      const timer = setTimeout(resolve, Math.min(left, 100));
      await promise;
      clearTimeout(timer);
    }
    return this.#received;
  }

  /** Resolves with all that came when the server has closed the connection. */
  ended(): Promise<string> {
    return this.until(() => false);
  }
}

/** A POST to / with a length. */
export function post(body: string, headers = 'Content-Type: application/json\r\n'): string {
  return `POST / HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
