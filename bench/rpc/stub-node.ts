/**
 * Stands for op-node and execution client of every conductor under the benchmark: always healthy, never
 * sequencing, knows no block. It lives in the benchmark's process and is asked about once a second per node.
 */

const ZERO_HASH = `0x${'00'.repeat(32)}`;

/** What is answered, by method; anything else is null. */
function answerTo(method: string): unknown {
  switch (method) {
    case 'admin_conductorEnabled':
      return true;
    case 'admin_sequencerActive':
      return false;
    case 'admin_stopSequencer':
      return ZERO_HASH;
    case 'opp2p_peerStats':
      return { connected: 5, table: 5, blocksTopic: 5 };
    case 'optimism_syncStatus': {
      const block = {
        hash: ZERO_HASH,
        number: 0,
        parentHash: ZERO_HASH,
        timestamp: Math.floor(Date.now() / 1000),
        l1origin: { hash: ZERO_HASH, number: 0 },
        sequenceNumber: 0,
      };
      return { unsafe_l2: block, safe_l2: block, finalized_l2: block };
    }
    default:
      return null;
  }
}

export class StubNode {
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { id, method } = (await request.json()) as { id: unknown; method: string };
      return Response.json({ jsonrpc: '2.0', id, result: answerTo(method) });
    },
  });

  get url(): string {
    return this.#server.url.href;
  }

  stop(): void {
    void this.#server.stop(true);
  }
}
