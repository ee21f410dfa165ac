/**
 * A TCP proxy in front of one node that lets through only so many bytes a second on each connection,
 * with small buffers: to the leader behind it, the node looks like a follower that cannot keep up.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

const CHUNK_BYTES = 16 * 1024;

export class ThrottledProxy implements Disposable {
  /** Port on 127.0.0.1 that the proxy listens on. */
  readonly port: number;
  /** Bytes per second and connection towards the node; may be changed at any time. */
  bytesPerSecond = Number.POSITIVE_INFINITY;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(port: number, targetPort: () => number) {
    this.port = port;
    this.#server = createServer({ highWaterMark: CHUNK_BYTES }, (inbound) => {
      const outbound = connect({ host: '127.0.0.1', port: targetPort() });
      for (const socket of [inbound, outbound]) {
        const other = socket === inbound ? outbound : inbound;
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      }
      outbound.on('data', (chunk) => inbound.write(chunk));
      inbound.on('data', (chunk: Buffer) => {
        const canTakeMore = outbound.write(chunk);
        if (canTakeMore && this.bytesPerSecond === Number.POSITIVE_INFINITY) return;
        inbound.pause();
        if (this.bytesPerSecond === Number.POSITIVE_INFINITY) outbound.once('drain', () => inbound.resume());
        else setTimeout(() => inbound.resume(), (chunk.byteLength / this.bytesPerSecond) * 1000);
      });
    });
  }

  /** Resolves when the proxy listens. */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
