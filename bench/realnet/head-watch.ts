/** Watches the latest block that any of some op-geths has, to tell for how long there was no new one. */
import { pause } from '../../tests/cluster/wait.ts';
import type { RealNode } from './real-node.ts';

const LOOK_EVERY_MS = 10;

export class HeadWatch {
  readonly #nodes: readonly RealNode[];
  /** When each new height was seen first, in order; the first is the height at the beginning. */
  readonly #seenMs: number[] = [];
  #head = -1;
  #hasEnded = false;
  readonly #run: Promise<void>;

  constructor(nodes: readonly RealNode[]) {
    this.#nodes = nodes;
    this.#run = this.#look();
  }

  /** New heights seen since the given moment of performance.now(). */
  countSince(ms: number): number {
    return this.#seenMs.filter((seen) => seen > ms).length;
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#run;
  }

  /** Longest time between two new heights of which the later came after the given moment; NaN of fewer than two. */
  longestGapMs(sinceMs: number): number {
    const gaps = this.#seenMs.flatMap((seen, at) => {
      const before = this.#seenMs[at - 1];
      return before === undefined || seen <= sinceMs ? [] : [seen - before];
    });
    return gaps.length === 0 ? Number.NaN : Math.max(...gaps);
  }

  async #look(): Promise<void> {
    for (; !this.#hasEnded; await pause(LOOK_EVERY_MS)) {
      const heads = await Promise.all(this.#nodes.map((node) => node.head().catch(() => -1)));
      const head = Math.max(...heads);
      if (head > this.#head) this.#seenMs.push(performance.now());
      this.#head = Math.max(head, this.#head);
    }
  }
}
