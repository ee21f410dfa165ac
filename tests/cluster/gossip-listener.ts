/**
 * A peer of all sequencers that only listens: what it hears is what the network heard, whatever
 * the sequencers say later. It counts as a peer for their health only when it is told their genesis.
 */
import { serveJsonRpc, type JsonRpcServer } from '#conductor/dev-sequencer/json-rpc-server';
import type { Block } from './publications.ts';

interface Envelope {
  readonly executionPayload?: { readonly blockNumber?: string; readonly blockHash?: string };
}

export class GossipListener {
  /** Every block heard, in order, repetitions included. */
  readonly heard: Block[] = [];
  /** Hash of block 0, to be taken for a peer. */
  genesis = '';
  readonly #server: JsonRpcServer;

  constructor() {
    this.#server = serveJsonRpc({
      hostname: '127.0.0.1',
      port: 0,
      delayMs: () => 0,
      methods: {
        dev_gossip: ([envelope]) => {
          const { blockNumber, blockHash } = (envelope as Envelope).executionPayload ?? {};
          if (blockNumber !== undefined && blockHash !== undefined)
            this.heard.push({ number: Number(blockNumber), hash: blockHash });
          return null;
        },
        dev_peerStatus: () => ({ genesis: this.genesis, number: 0 }),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  close(): Promise<void> {
    return this.#server.stop();
  }
}
