/**
 * The other end of a connection as bare bytes, for tests of what a well-behaved peer never does.
 */
import { eventually } from './endpoint.ts';

const HOST = '127.0.0.1';

/** One connection: what came, and whether it is still open. */
export class RawConnection {
  bytes = new Uint8Array(0);
  isClosed = false;
  receivedBytes = 0;
  /** What to do with what arrives; by default it is kept in `bytes`. */
  onChunk: (chunk: Uint8Array) => void = (chunk) => {
    this.bytes = Buffer.concat([this.bytes, chunk]);
  };
  #socket: Bun.Socket<RawConnection> | null = null;
  #unsent: Uint8Array = new Uint8Array(0);

  get socket(): Bun.Socket<RawConnection> {
    return this.#socket!;
  }

  set socket(socket: Bun.Socket<RawConnection>) {
    this.#socket = socket;
  }

  /** Bytes written and not yet taken by the kernel. */
  get unsentBytes(): number {
    return this.#unsent.length;
  }

  write(bytes: Uint8Array): void {
    this.#unsent = this.#unsent.length === 0 ? bytes : Buffer.concat([this.#unsent, bytes]);
    this.flush();
  }

  flush(): void {
    if (this.isClosed || this.#unsent.length === 0) return;
    const taken = this.socket.write(this.#unsent);
    if (taken > 0) this.#unsent = this.#unsent.subarray(taken);
  }

  async closed(): Promise<void> {
    await eventually('the connection to be closed', () => this.isClosed);
  }
}

const handlers: Bun.SocketHandler<RawConnection> = {
  binaryType: 'uint8array',
  data(socket, chunk: Uint8Array) {
    socket.data.receivedBytes += chunk.length;
    socket.data.onChunk(chunk);
  },
  drain(socket) {
    socket.data.flush();
  },
  close(socket) {
    socket.data.isClosed = true;
  },
};

export async function rawConnect(port: number): Promise<RawConnection> {
  const connection = new RawConnection();
  connection.socket = await Bun.connect({ hostname: HOST, port, data: connection, socket: handlers });
  return connection;
}

/** Listens on a free port and keeps the connections it accepted. */
export class RawServer {
  readonly connections: RawConnection[] = [];
  readonly port: number;
  readonly #listener: Bun.TCPSocketListener<RawConnection>;

  constructor(onOpen: (connection: RawConnection) => void = () => undefined) {
    this.#listener = Bun.listen<RawConnection>({
      hostname: HOST,
      port: 0,
      socket: {
        ...handlers,
        open: (socket) => {
          const connection = new RawConnection();
          connection.socket = socket;
          socket.data = connection;
          this.connections.push(connection);
          onOpen(connection);
        },
      },
    });
    this.port = this.#listener.port;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** Waits for the connection accepted as number `index`. */
  accepted(index = 0): Promise<RawConnection> {
    return eventually(`connection ${index}`, () => this.connections[index]);
  }

  close(): void {
    this.#listener.stop(true);
  }
}
