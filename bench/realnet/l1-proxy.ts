/**
 * Stands between one op-node and its L1 client, and passes everything on. While it holds up derivation, the first question
 * for the transactions of each block is answered late: derivation is the one that asks it, and the sequencer, which goes on
 * with the L1 origin that it has, does not.
 */
import { pause } from '../../tests/cluster/wait.ts';

export class L1Proxy implements AsyncDisposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #l1Url: string;
  /** How long derivation is held up, milliseconds; 0 for not at all. */
  #holdMs = 0;
  readonly #asked = new Set<unknown>();

  constructor(l1Url: string) {
    this.#l1Url = l1Url;
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 120,
      fetch: (request) => this.#pass(request),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** From now on each L1 block that is new to derivation costs it so long, milliseconds; 0 for an end. */
  holdDerivation(ms: number): void {
    this.#holdMs = ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(request: Request): Promise<Response> {
    const body = await request.text();
    const { method, params } = JSON.parse(body) as { readonly method?: string; readonly params?: readonly unknown[] };
    if (method === 'eth_getBlockByHash' && params?.[1] === true && !this.#asked.has(params[0])) {
      this.#asked.add(params[0]);
      if (this.#holdMs > 0) await pause(this.#holdMs);
    }
    const answer = await fetch(this.#l1Url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return new Response(await answer.text(), { headers: { 'content-type': 'application/json' } });
  }
}
