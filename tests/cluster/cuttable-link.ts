/**
 * A TCP proxy in front of one server's raft port through which links can be cut silently: bytes of a
 * direction just stay where they are, no connection is closed or refused, as when packets are lost.
 * Who dialled is read off the first request, whose header names its sender first.
 */
import { connect, createServer, type Socket } from 'node:net';

/** Who a connection belongs to: the dialler once known, and the two sockets. */
interface Connection {
  from: string | null;
  readonly inbound: Socket;
  readonly outbound: Socket;
}

/** Whether bytes from one server to another are held back now. */
export type IsCut = (from: string, to: string) => boolean;

export class CuttableLink implements Disposable {
  readonly port: number;
  readonly #to: string;
  readonly #senders: readonly string[];
  readonly #isCut: IsCut;
  readonly #connections = new Set<Connection>();
  readonly #server;

  constructor(options: {
    readonly port: number;
    readonly targetPort: number;
    /** Id of the server behind it, and of all that may dial. */
    readonly to: string;
    readonly senders: readonly string[];
    readonly isCut: IsCut;
  }) {
    this.port = options.port;
    this.#to = options.to;
    this.#senders = options.senders;
    this.#isCut = options.isCut;
    this.#server = createServer((inbound) => this.#accept(inbound, options.targetPort));
  }

  /** Resolves when it listens. */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  /** To be called after what `isCut` says has changed. */
  review(): void {
    for (const connection of this.#connections) this.#steer(connection);
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const { inbound, outbound } of this.#connections) {
      inbound.destroy();
      outbound.destroy();
    }
  }

  #accept(inbound: Socket, targetPort: number): void {
    const outbound = connect({ host: '127.0.0.1', port: targetPort });
    const connection: Connection = { from: null, inbound, outbound };
    this.#connections.add(connection);
    for (const socket of [inbound, outbound]) {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#connections.delete(connection);
        inbound.destroy();
        outbound.destroy();
      });
    }
    inbound.once('data', (first: Buffer) => {
      connection.from = this.#senderOf(first);
      this.#steer(connection);
    });
    inbound.on('data', (chunk) => outbound.write(chunk));
    outbound.on('data', (chunk) => inbound.write(chunk));
  }

  /** The id that comes first in the request. */
  #senderOf(request: Buffer): string | null {
    const found = this.#senders.map((id) => ({ id, at: request.indexOf(id) })).filter(({ at }) => at >= 0);
    return found.toSorted((a, b) => a.at - b.at)[0]?.id ?? null;
  }

  #steer({ from, inbound, outbound }: Connection): void {
    if (from === null) return;
    if (this.#isCut(from, this.#to)) inbound.pause();
    else inbound.resume();
    if (this.#isCut(this.#to, from)) outbound.pause();
    else outbound.resume();
  }
}
