/**
 * How the rollup node of a development sequencer reaches its own execution client: as over the engine API, so a
 * client that is down refuses and one that is frozen keeps it waiting.
 */
import type { DevBlock } from './block.ts';
import type { ExecutionClient, PayloadStatus } from './execution-client.ts';
import type { Faults } from './faults.ts';

/** Milliseconds op-node waits for its client, and between two looks at one that is frozen. */
const ANSWER_MS_MAX = 5_000;
const LOOK_EVERY_MS = 20;

/** The client did not answer. */
class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** Methods throw EngineError while the client does not answer. */
export class EngineLink {
  readonly #client: ExecutionClient;
  readonly #faults: Faults;

  constructor(client: ExecutionClient, faults: Faults) {
    this.#client = client;
    this.#faults = faults;
  }

  async newPayload(block: DevBlock): Promise<PayloadStatus> {
    await this.#reach();
    const status = await this.#client.newPayload(block);
    await this.#reach();
    return status;
  }

  /** A forkchoice update; false is SYNCING: the client does not know the block. */
  async setHead(hash: string): Promise<boolean> {
    await this.#reach();
    return this.#client.setHead(hash);
  }

  /** The client's latest block. */
  async head(): Promise<DevBlock> {
    await this.#reach();
    return this.#client.head;
  }

  /** Returns at once from a client that answers, so that nothing else comes in between. */
  async #reach(): Promise<void> {
    const deadline = performance.now() + ANSWER_MS_MAX;
    while (this.#faults.execution === 'frozen') {
      if (performance.now() >= deadline) throw new EngineError('context deadline exceeded');
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    if (this.#faults.execution === 'down') throw new EngineError('dial tcp: connect: connection refused');
  }
}
