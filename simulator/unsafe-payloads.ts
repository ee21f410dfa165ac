/**
 * Payloads that an op-node was given by gossip or by its conductor, and has not inserted yet: they are executed one
 * after the other, only on the head, and what is missing below them is asked of other nodes.
 */
import type { Block } from './blocks.ts';
import type { RollupNode, RollupNodeHost } from './rollup-node.ts';

/** Payloads waiting for what is missing below them. */
const WAITING_MAX = 256;
/** Missing payloads are asked of a peer after this long. */
const FETCH_MS = 300;

export class UnsafePayloads {
  readonly #node: RollupNode;
  readonly #host: RollupNodeHost;
  /** By the hash of the parent. */
  readonly #waiting = new Map<string, Block>();
  #isFetching = false;

  constructor(node: RollupNode, host: RollupNodeHost) {
    this.#node = node;
    this.#host = host;
  }

  /** Success says nothing about its insertion, which comes later if at all. */
  add(block: Block): void {
    const { head } = this.#node;
    if (block.number <= head.number && block.hash !== head.hash) return;
    if (this.#waiting.size < WAITING_MAX) this.#waiting.set(block.parentHash, block);
    this.#host.queue.after(this.#host.random.between(1, 15), () => this.insert());
  }

  /** The process is gone, and they with it. */
  clear(): void {
    this.#waiting.clear();
  }

  /** It is inserted, however it came. */
  inserted(block: Block): void {
    this.#waiting.delete(block.parentHash);
  }

  /** Inserts what follows the head. */
  insert(): void {
    const node = this.#node;
    for (;;) {
      if (!node.mayInsert) return;
      const next = this.#waiting.get(node.head.hash);
      if (next === undefined) break;
      this.#waiting.delete(next.parentHash);
      let isOver = false;
      let isLater = false;
      node.insert(next, (status) => {
        isOver = true;
        // Its client did not answer: it is asked again when it does.
        if (status === null) this.#waiting.set(next.parentHash, next);
        else if (isLater) this.insert();
      });
      isLater = true;
      if (!isOver || this.#waiting.has(next.parentHash)) return;
    }
    for (const [parentHash, block] of this.#waiting)
      if (block.number <= node.head.number + 1) this.#waiting.delete(parentHash);
    if (this.#waiting.size > 0) this.#fetchMissing();
  }

  /** Asks the others for what is missing below the lowest payload that waits. */
  #fetchMissing(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#host.queue.after(FETCH_MS, () => {
      this.#isFetching = false;
      const node = this.#node;
      if (!node.isUp || node.isStuck) return;
      let lowest: Block | null = null;
      for (const block of this.#waiting.values()) if (lowest === null || block.number < lowest.number) lowest = block;
      for (let at = lowest; at !== null && at.number > node.head.number + 1;) {
        const parent = this.#host.fetch(at.parentHash);
        if (parent === null) return;
        this.#waiting.set(parent.parentHash, parent);
        at = parent;
      }
      this.insert();
    });
  }
}
