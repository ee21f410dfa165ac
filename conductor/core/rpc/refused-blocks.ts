/**
 * The blocks that were refused last, to find a node that publishes and builds on them all the same: op-node inserts no block
 * of its own before it is committed, kona-node does where its commit failed.
 */
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';

/** A sequencer offers one per block time, and a look finds its head on one of the newest. */
const keptMax = 8;

export class RefusedBlocks {
  readonly #endOfLog: ChainView;
  /** By hash; true where the log took nothing because another server leads, which may commit that very block. */
  readonly #kept = new Map<string, boolean>();

  /** `endOfLog` is the log with what is not committed yet. */
  constructor(endOfLog: ChainView) {
    this.#endOfLog = endOfLog;
  }

  add(hash: string, reason: string): void {
    if (reason === 'block-hash') return; // It is no block's hash.
    this.#kept.delete(hash);
    this.#kept.set(hash, reason === 'not-leader');
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Whether this head is a block that was refused, and that the log did not take since. */
  has({ number, hash }: BlockRef): boolean {
    const mayBeTaken = this.#kept.get(hash);
    if (mayBeTaken === undefined) return false;
    const held = this.#endOfLog.at(number);
    if (held !== null) return held.hash !== hash;
    return !mayBeTaken && number > (this.#endOfLog.head()?.number ?? -1n);
  }
}
