/**
 * The stand-in for op-node and execution client of tests and benchmarks whose subject is the conductor alone: it says at
 * once that all is well, and a test says what it wants said otherwise. A node that builds blocks is `dev-sequencer`.
 */
import { wellAnswers } from '#conductor/core/health/checks';

/** A call as the node sees it. `path` is the URL's, by which one server stands for several nodes. */
export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly path: string;
}

/** Instead of what a healthy node says; a Response is the whole answer, null leaves the call to the healthy node. */
export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | Response
  | null;

/** What has not been said of its chain. */
export const ZERO_HASH = `0x${'00'.repeat(32)}`;

export class HealthyNode {
  /** The newest block, unsafe and safe. */
  head = { number: 0, hash: `0x${'11'.repeat(32)}` };
  readonly #server: Bun.Server<undefined>;
  #frozen: PromiseWithResolvers<void> | null = null;

  constructor(answer: (call: NodeCall) => NodeAnswer = () => null) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: async (request) => {
        await this.#frozen?.promise;
        const { id, method, params = [] } = (await request.json()) as NodeCall & { readonly id: unknown };
        const answered = answer({ method, params, path: new URL(request.url).pathname });
        if (answered instanceof Response) return answered;
        return Response.json({ jsonrpc: '2.0', id, ...(answered ?? { result: this.#resultOf(method) }) });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The head as JSON-RPC of the execution layer has it. */
  get header(): {
    readonly number: string;
    readonly hash: string;
    readonly parentHash: string;
    readonly timestamp: string;
  } {
    const { number, hash } = this.head;
    return { number: `0x${number.toString(16)}`, hash, parentHash: ZERO_HASH, timestamp: '0x1' };
  }

  /** It takes calls and answers none, until it thaws. */
  freeze(): void {
    this.#frozen ??= Promise.withResolvers<void>();
  }

  thaw(): void {
    this.#frozen?.resolve();
    this.#frozen = null;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  /** What is not known here is null. */
  #resultOf(method: string): unknown {
    switch (method) {
      case 'admin_conductorEnabled':
        return true;
      case 'admin_sequencerActive':
        return false;
      case 'eth_getBlockByNumber':
        return this.header;
      case 'optimism_syncStatus': {
        const block = {
          ...this.head,
          parentHash: ZERO_HASH,
          timestamp: Math.floor(Date.now() / 1000),
          l1origin: { hash: ZERO_HASH, number: 0 },
          sequenceNumber: 0,
        };
        return { unsafe_l2: block, safe_l2: block, finalized_l2: block };
      }
      default:
        return wellAnswers('node')[method] ?? wellAnswers('execution')[method] ?? null;
    }
  }
}
