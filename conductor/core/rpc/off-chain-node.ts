/**
 * The node that offered another block than the one that the log holds at its height: it is brought to that one, at once
 * where it is committed, and where it is pending as soon as it is (rule 3).
 */
import type { HeldBlock } from '../payload/admission.ts';
import type { CommitHost } from './commit-host.ts';

export class OffChainNode {
  readonly #host: Pick<CommitHost, 'chain' | 'status' | 'nodeIsOff'>;
  /** Height of a pending block for which another was refused. */
  #pendingHeight: bigint | null = null;

  constructor(host: Pick<CommitHost, 'chain' | 'status' | 'nodeIsOff'>) {
    this.#host = host;
  }

  /** A block was refused, for `held` is in its place. */
  refused(held: HeldBlock): void {
    if (held.committed) this.#host.nodeIsOff();
    else this.#pendingHeight = held.number;
  }

  /** To be called after anything was applied, and when leadership may have gone. */
  review(): void {
    if (this.#pendingHeight === null) return;
    const tip = this.#host.chain.tip();
    const isCommitted = tip !== null && tip.number >= this.#pendingHeight;
    if (!isCommitted && this.#host.status().role === 'leader') return;
    this.#pendingHeight = null;
    if (isCommitted) this.#host.nodeIsOff();
  }
}
