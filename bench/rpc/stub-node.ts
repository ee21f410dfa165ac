/**
 * Stands for op-node and execution client of every conductor under the benchmark: always healthy, on one chain whose
 * head is what was committed last, and sequencing where it was told to. It lives in the benchmark's process and is
 * asked about once a second per node.
 */

const ZERO_HASH = `0x${'00'.repeat(32)}`;

/** A block as far as a conductor looks at it. */
export interface StubBlock {
  readonly number: number;
  readonly hash: string;
}

export class StubNode {
  /** What the sequencer built last; all nodes have it. */
  head: StubBlock = { number: 0, hash: ZERO_HASH };
  readonly #sequencing = new Set<string>();
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { id, method, params = [] } = (await request.json()) as { id: unknown; method: string; params?: unknown[] };
      const result = this.#answerTo(new URL(request.url).pathname, method, params);
      return Response.json({ jsonrpc: '2.0', id, result });
    },
  });

  /** What the conductor of that name is given as its node; the one that bootstraps has a running sequencer. */
  urlOf(id: string, isSequencing: boolean): string {
    const path = `/${id}`;
    if (isSequencing) this.#sequencing.add(path);
    return new URL(path, this.#server.url).href;
  }

  stop(): void {
    void this.#server.stop(true);
  }

  /** What is not known here is null. */
  #answerTo(node: string, method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'admin_conductorEnabled':
        return true;
      case 'admin_sequencerActive':
        return this.#sequencing.has(node);
      case 'admin_startSequencer':
        this.#sequencing.add(node);
        return null;
      case 'admin_stopSequencer':
        this.#sequencing.delete(node);
        return this.head.hash;
      case 'admin_postUnsafePayload':
        this.#take(params[0]);
        return null;
      case 'opp2p_peerStats':
        return { connected: 5, table: 5, blocksTopic: 5 };
      case 'eth_getBlockByNumber':
        return { ...this.#block(), number: `0x${this.head.number.toString(16)}` };
      case 'optimism_syncStatus':
        return { unsafe_l2: this.#block(), safe_l2: this.#block(), finalized_l2: this.#block() };
      default:
        return null;
    }
  }

  /** A node that is behind is brought up by its conductor. */
  #take(envelope: unknown): void {
    const { executionPayload } = envelope as { executionPayload: { blockNumber: string; blockHash: string } };
    const number = Number(executionPayload.blockNumber);
    if (number > this.head.number) this.head = { number, hash: executionPayload.blockHash };
  }

  #block(): object {
    return {
      ...this.head,
      parentHash: ZERO_HASH,
      timestamp: Math.floor(Date.now() / 1000),
      l1origin: { hash: ZERO_HASH, number: 0 },
      sequenceNumber: 0,
    };
  }
}
