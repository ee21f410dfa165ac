/**
 * A stand-in for rollup-boost's stream: a real websocket server that sends what a test says, to
 * whoever is connected, and can go away and come back on its port.
 */
export class FakeSource implements AsyncDisposable {
  readonly #sockets = new Set<Bun.ServerWebSocket<undefined>>();
  #server: Bun.Server<undefined>;
  /** Kept over a restart. */
  readonly port: number;
  /** Connections accepted so far. */
  accepted = 0;

  constructor(port = 0) {
    this.#server = this.#serve(port);
    this.port = this.#server.port ?? 0;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  get connected(): number {
    return this.#sockets.size;
  }

  /** Sends text or bytes to everyone connected. */
  send(message: string | Uint8Array<ArrayBuffer>): void {
    for (const socket of this.#sockets) socket.send(message);
  }

  /** Closes every connection but goes on listening. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  /** Listens again on the port of before. */
  restart(): void {
    this.#server = this.#serve(this.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #serve(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: '127.0.0.1',
      port,
      fetch: (request, server) =>
        server.upgrade(request) ? undefined : new Response('websocket only', { status: 426 }),
      websocket: {
        idleTimeout: 0,
        open: (socket) => {
          this.accepted += 1;
          this.#sockets.add(socket);
        },
        close: (socket) => void this.#sockets.delete(socket),
        message: () => undefined,
      },
    });
  }
}
