/**
 * The blocks that clients of a history offer: the next on the highest they know of, rivals of what is committed, repeats,
 * and blocks that fit nowhere, whose refusal tells the head. Every block has bytes of its own, so no two calls offer the
 * same one by accident.
 */
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import type { Seeded } from '../../tests/cluster/seeded.ts';
import type { SeenBlock } from './history.ts';

const GENESIS_TIME = 1_700_000_000;
const TRANSACTION_BYTES = 100;
/** Repeats and rivals are of the newest blocks. */
const RECENT = 8;

/** A block and the parameter that offers it. */
export interface Offer extends SeenBlock {
  readonly parent: string;
  readonly payload: unknown;
}

/** How often each kind is offered, of 100. */
const SHARES = { repeat: 12, rival: 12, misfit: 12 };

export class Offers {
  readonly #random: Seeded;
  readonly #made = new Map<string, Envelope>();
  /** Hashes that some answer called committed, the newest last. */
  readonly #committed: string[] = [];
  #head: Envelope | null = null;

  constructor(random: Seeded) {
    this.#random = random;
  }

  /** Number of the highest block that any client was told of, 0 before the first. */
  get headNumber(): number {
    return Number(this.#head?.executionPayload.blockNumber ?? 0n);
  }

  /** What some client learned: the committed chain holds this block. */
  learned(hash: string): void {
    const block = this.#made.get(hash);
    if (block === undefined) return;
    if (!this.#committed.includes(hash)) this.#committed.push(hash);
    if (this.#head === null || block.executionPayload.blockNumber > this.#head.executionPayload.blockNumber)
      this.#head = block;
  }

  /** A block of any kind. */
  any(): Offer {
    const recent = this.#recent();
    let at = this.#random.between(0, 100);
    if (recent === null) return this.next();
    if ((at -= SHARES.repeat) < 0) return offerOf(recent);
    if ((at -= SHARES.rival) < 0) return this.#on(this.#made.get(parentOf(recent)) ?? null);
    if ((at -= SHARES.misfit) < 0) return this.#misfit();
    return this.next();
  }

  /** On the highest block known. */
  next(): Offer {
    return this.#on(this.#head);
  }

  /** One above the head, on a rival of the head that nobody ever offered. */
  #misfit(): Offer {
    const head = this.#head as Envelope;
    return this.#on(this.#build(this.#made.get(parentOf(head)) ?? null));
  }

  #recent(): Envelope | null {
    const hashes = this.#committed.slice(-RECENT);
    return hashes.length === 0 ? null : (this.#made.get(this.#random.pick(hashes)) ?? null);
  }

  #on(parent: Envelope | null): Offer {
    const block = this.#build(parent);
    const offer = offerOf(block);
    this.#made.set(offer.hash, block);
    return offer;
  }

  #build(parent: Envelope | null): Envelope {
    const bytes = Uint8Array.from({ length: TRANSACTION_BYTES }, () => this.#random.between(0, 256));
    const timestamp = parent === null ? GENESIS_TIME : parent.executionPayload.timestamp + 1n;
    return buildBlock({ parent, timestamp, transactions: [bytes] });
  }
}

function parentOf({ executionPayload }: Envelope): string {
  return prefixedHex(executionPayload.parentHash);
}

function offerOf(block: Envelope): Offer {
  const { blockNumber, blockHash } = block.executionPayload;
  const [number, hash] = [Number(blockNumber), prefixedHex(blockHash)];
  return { number, hash, parent: parentOf(block), payload: formatEnvelope(block) };
}
