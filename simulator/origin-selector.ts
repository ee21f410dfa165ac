/**
 * The L1 origin that the next block of an op-node builds with, and heads whose origin is gone, by what its L1 endpoint shows
 * (op-node v1.19.6, rollup/sequencing/origin_selector.go).
 */
import type { Block } from './blocks.ts';
import type { RollupNodeHost } from './rollup-node-host.ts';
import type { Job } from './spoiled-seals.ts';

export class OriginSelector {
  /** Of its machine. */
  readonly #index: number;
  readonly #host: Pick<RollupNodeHost, 'blocks' | 'l1' | 'l1At'>;

  constructor(index: number, host: Pick<RollupNodeHost, 'blocks' | 'l1' | 'l1At'>) {
    this.#index = index;
    this.#host = host;
  }

  /**
   * The next block on a head, as a job for its client; null while it has no L1 origin to build with, or not that of the
   * head: one that its endpoint never had it asks for again and again (sequencer.go).
   */
  planOn(head: Block, isRecovering: boolean): Job | null {
    const { blocks, l1 } = this.#host;
    if (this.#isLeft(head)) return null;
    const next = this.#host.l1At(head.origin + 1);
    // In recover mode the next one is looked for first, and a missing one is no error (origin_selector.go).
    const origin = next ?? this.#host.l1At(head.origin);
    if (origin === null) return null;
    const isForeign = l1.forkedFrom !== null && origin.number >= l1.forkedFrom;
    const block = blocks.build(head, this.#index, { origin, isForeign, seen: l1.seen });
    return { id: `${head.hash} ${origin.hash} ${isRecovering}`, parent: head, origin, block, isFull: !isRecovering };
  }

  /** The branch of a block that it would build now. */
  branchOn(head: Block): number {
    return this.#host.blocks.branchOn(head, this.#host.l1.seen);
  }

  /** Its L1 endpoint shows that something else came in the place of a block's origin; of one that it never had it shows nothing. */
  isReplaced(block: Block): boolean {
    const hadIt = !block.isForeign || block.builder === this.#index;
    return this.#isLeft(block) && this.#host.l1.forkedFrom === null && hadIt;
  }

  /** Whether its L1 endpoint does not show the origin of a block. */
  #isLeft(block: Block): boolean {
    const { forkedFrom, seen } = this.#host.l1;
    if (forkedFrom === null) return this.#host.blocks.isDead(block, seen);
    return block.origin >= forkedFrom && !block.isForeign;
  }

  /** The nearest block at or below a head whose origin is there. */
  lastLiving(head: Block): Block {
    const { blocks } = this.#host;
    let at = head;
    while (at !== blocks.genesis && this.#isLeft(at)) at = blocks.parentOf(at) ?? blocks.genesis;
    return at;
  }
}
