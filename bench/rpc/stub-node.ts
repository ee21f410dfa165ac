/**
 * Stands for op-node and execution client of every conductor under the benchmark: always healthy, on one chain whose
 * head is what was committed last, and sequencing where it was told to. It lives in the benchmark's process and is
 * asked about once a second per node.
 */
import { HealthyNode, ZERO_HASH, type NodeAnswer, type NodeCall } from '../../tests/cluster/healthy-node.ts';

/** A block as far as a conductor looks at it. */
export interface StubBlock {
  readonly number: number;
  readonly hash: string;
}

export class StubNode {
  readonly #sequencing = new Set<string>();
  readonly #node = new HealthyNode((call) => this.#answerTo(call));

  constructor() {
    this.head = { number: 0, hash: ZERO_HASH };
  }

  /** What the sequencer built last; all nodes have it. */
  get head(): StubBlock {
    return this.#node.head;
  }

  set head(head: StubBlock) {
    this.#node.head = head;
  }

  /** What the conductor of that name is given as its node; the one that bootstraps has a running sequencer. */
  urlOf(id: string, isSequencing: boolean): string {
    const path = `/${id}`;
    if (isSequencing) this.#sequencing.add(path);
    return new URL(path, this.#node.url).href;
  }

  stop(): void {
    void this.#node.stop();
  }

  #answerTo({ path, method, params }: NodeCall): NodeAnswer {
    switch (method) {
      case 'admin_sequencerActive':
        return { result: this.#sequencing.has(path) };
      case 'admin_startSequencer':
        this.#sequencing.add(path);
        return { result: null };
      case 'admin_stopSequencer':
        this.#sequencing.delete(path);
        return { result: this.head.hash };
      case 'admin_postUnsafePayload':
        this.#take(params[0]);
        return { result: null };
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
}
