/**
 * Payloads that an op-node was given by gossip or by its conductor, and has not inserted yet: they are executed one
 * after the other, only on the head. What is missing below them op-node asks of nobody: when its head has not moved for
 * two block times, it tells its client of the lowest, which is to get the rest by itself (op-node v1.19.6,
 * rollup/driver/driver.go: checkForGapInUnsafeQueue). Where the client gets nothing, derivation brings the missing blocks
 * when they are safe.
 */
import type { Block } from './blocks.ts';
import type { RollupNode } from './rollup-node.ts';
import type { RollupNodeHost } from './rollup-node-host.ts';

/** Payloads waiting for what is missing below them. */
const WAITING_MAX = 256;
/** A head that stands so many block times may have a gap above it. */
const GAP_BLOCKS = 2;
/**
 * Derivation builds what is missing from its batches: much later than our conductor gives what its log holds (rule 30), and
 * never that, so that the laws judge the conductor. It needs no peers.
 */
const DERIVED_AFTER_MS = 20_000;

export class UnsafePayloads {
  readonly #node: RollupNode;
  readonly #host: RollupNodeHost;
  /** By the hash of the parent. */
  readonly #waiting = new Map<string, Block>();
  /** When a gap above the head is looked for. */
  #gapAtMs = Infinity;
  /** Since when the head is what it is, or derivation. */
  #stillSinceMs = 0;
  /** Since when the head is what it is. */
  #headSinceMs = 0;

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
    this.#stillSinceMs = this.#host.queue.nowMs;
    this.#headSinceMs = this.#host.queue.nowMs;
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
    if (this.#waiting.size > 0) this.#lookForGap();
  }

  /** Has the client look for what is missing below the lowest payload that waits. */
  #lookForGap(): void {
    const { queue, blockMs } = this.#host;
    const atMs = Math.max(queue.nowMs + 1, this.#stillSinceMs + GAP_BLOCKS * blockMs);
    if (this.#gapAtMs <= atMs && this.#gapAtMs > queue.nowMs) return;
    this.#gapAtMs = atMs;
    queue.at(atMs, () => {
      if (this.#gapAtMs !== atMs) return;
      this.#gapAtMs = Infinity;
      if (this.#waiting.size > 0) this.#fillGap();
    });
  }

  #fillGap(): void {
    const { nowMs } = this.#host.queue;
    const node = this.#node;
    if (!node.mayInsert || nowMs < this.#stillSinceMs + GAP_BLOCKS * this.#host.blockMs) return this.#lookForGap();
    this.#stillSinceMs = nowMs;
    const lowest = [...this.#waiting.values()].reduce((low, one) => (one.number < low.number ? one : low));
    if (lowest.number <= node.head.number + 1) return this.insert();
    const isDerived = nowMs >= this.#headSinceMs + DERIVED_AFTER_MS;
    node.insert(lowest, () => (isDerived ? this.#derive(lowest) : this.insert()));
  }

  /** Inserts what follows the head below a payload, as far as it is safe. */
  #derive(above: Block): void {
    const node = this.#node;
    const { blocks, queue } = this.#host;
    const next = blocks.ancestor(above, node.head.number + 1);
    const isSafe = next.number <= blocks.safeHead(above, queue.nowMs).number;
    const follows = next.parentHash === node.head.hash && next !== above;
    if (!follows || !isSafe || !node.mayInsert || this.#host.isL1Standing() || this.#host.isInLog(next))
      return this.insert();
    node.insert(next, (status) => (status === 'VALID' ? this.#derive(above) : this.insert()));
  }
}
