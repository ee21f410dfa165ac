/**
 * Stands for rollup-boost: sends messages of a flashblock's size to whoever is connected, at a fixed rate. Each begins
 * with when it was sent and its number, so that a client can tell its age and whether one before it is missing.
 */
const MESSAGE_BYTES = 5000;

export class FlashblocksSource {
  readonly #sockets = new Set<Bun.ServerWebSocket>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 426 })),
    websocket: {
      idleTimeout: 0,
      open: (socket) => void this.#sockets.add(socket),
      close: (socket) => void this.#sockets.delete(socket),
      message: () => undefined,
    },
  });
  #count = 0;

  constructor(intervalMs: number) {
    this.#timer = setInterval(() => this.#sendAll(), intervalMs);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/`;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#server.stop(true);
  }

  #sendAll(): void {
    this.#count += 1;
    const head = `{"at":${Date.now()},"count":${this.#count},"padding":"`;
    const message = `${head}${'f'.repeat(MESSAGE_BYTES - head.length - 2)}"}`;
    for (const socket of this.#sockets) socket.send(message);
  }
}
