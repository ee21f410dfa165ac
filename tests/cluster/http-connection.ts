/**
 * One persistent HTTP/1.1 connection with one request at a time, written by hand on a raw socket.
 * It exists because the load generator shares two cores with the servers it measures: fetch costs
 * several times as much per request, and hides whether a request was sent at all.
 */
import type { Socket } from 'bun';

const HEAD_END = Buffer.from('\r\n\r\n');
const RESPONSE_BYTES_MAX = 256 * 1024 * 1024;

export interface HttpResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** The request failed; `sent` says whether any byte of it may have reached the server. */
export class HttpConnectionError extends Error {
  readonly code = 'http-connection';
  readonly sent: boolean;
  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }
}

interface Pending {
  readonly bytes: Uint8Array;
  written: number;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: HttpConnectionError) => void;
}

/** The bytes of a request; the body begins at `length - body.byteLength` and may be changed in place between uses. */
export function requestBytes(method: string, path: string, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  const head = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.byteLength}\r\n\r\n`,
  );
  return Buffer.concat([head, body]);
}

export class HttpConnection {
  readonly #port: number;
  #socket: Socket | null = null;
  #pending: Pending | null = null;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #closed = false;

  /** Dials 127.0.0.1:`port` on first use and again after every failure. */
  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends one request and resolves with its answer. Rejects with HttpConnectionError; the connection is then closed.
   * `onWritten` is called when the kernel has all bytes of it.
   */
  async request(bytes: Uint8Array, timeoutMs: number, onWritten?: () => void): Promise<HttpResponse> {
    if (this.#pending !== null)
      throw new HttpConnectionError('a request is already under way on this connection', false);
    const deadline = Date.now() + timeoutMs;
    const socket = this.#socket ?? (await this.#dial());
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<HttpResponse>((resolve, reject) => {
        this.#pending = { bytes, written: 0, onWritten, resolve, reject };
        timer = setTimeout(() => this.#fail(`no answer within ${timeoutMs} ms`), Math.max(deadline - Date.now(), 1));
        this.#write(socket);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#closed = true;
    this.#fail('closed by this side');
  }

  async #dial(): Promise<Socket> {
    if (this.#closed) throw new HttpConnectionError('the connection is closed', false);
    try {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: this.#port,
        socket: {
          data: (from, chunk) => {
            if (from === this.#socket) this.#read(chunk);
          },
          drain: (to) => {
            if (to === this.#socket) this.#write(to);
          },
          close: (which) => {
            if (which === this.#socket) this.#fail('connection closed by the server');
          },
          error: (which, error) => {
            if (which === this.#socket) this.#fail(error.message);
          },
        },
      });
      socket.setNoDelay(true);
      this.#socket = socket;
      return socket;
    } catch (error) {
      throw new HttpConnectionError(`cannot connect to 127.0.0.1:${this.#port}: ${(error as Error).message}`, false);
    }
  }

  #write(socket: Socket): void {
    const pending = this.#pending;
    if (pending === null || pending.written === pending.bytes.byteLength) return;
    const taken = socket.write(pending.written === 0 ? pending.bytes : pending.bytes.subarray(pending.written));
    if (taken < 0) return this.#fail('connection closed while sending');
    pending.written += taken;
    if (pending.written === pending.bytes.byteLength) pending.onWritten?.();
  }

  #read(chunk: Buffer): void {
    this.#received.push(Buffer.from(chunk));
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > RESPONSE_BYTES_MAX) return this.#fail('answer too large');
    const first = this.#received.length === 1 ? (this.#received[0] as Buffer) : Buffer.concat(this.#received);
    const headEnd = first.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#received = [first];
      return;
    }
    const head = first.toString('latin1', 0, headEnd);
    const length = /^content-length: *(\d+)$/im.exec(head);
    if (length === null) return this.#fail(`an answer without a length: ${head}`);
    const end = headEnd + HEAD_END.byteLength + Number(length[1]);
    if (first.byteLength < end) {
      this.#received = [first];
      return;
    }
    const pending = this.#pending;
    this.#pending = null;
    this.#received = [];
    this.#receivedBytes = 0;
    pending?.resolve({ status: Number(head.slice(9, 12)), body: first.subarray(headEnd + HEAD_END.byteLength, end) });
  }

  #fail(reason: string): void {
    const pending = this.#pending;
    this.#pending = null;
    this.#received = [];
    this.#receivedBytes = 0;
    const socket = this.#socket;
    this.#socket = null;
    socket?.terminate();
    pending?.reject(new HttpConnectionError(reason, pending.written > 0));
  }
}
