/**
 * Every block of a run, by hash. They are real payloads with real hashes, so that the conductor checks, stores
 * and posts what it would in production. A branch is begun by each legitimate rollback of the rollup.
 */
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import { l1Attributes } from './l1-attributes.ts';
import type { L1Header } from './l1.ts';
import { EPOCH_MS } from './machine-clock.ts';

export interface Block {
  readonly number: number;
  /** "0x" and 64 digits. */
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number;
  /** Rollbacks of the rollup before it was built. */
  readonly branch: number;
  /** Server whose sequencer built it; −1 for the first block. */
  readonly builder: number;
  /** Number of the L1 block that it names as its origin. */
  readonly origin: number;
  /** Its hash, as the builder's endpoint showed it; null where nobody said. */
  readonly originHash: string | null;
  /** Blocks of the same origin before it. */
  readonly sequenceNumber: number;
  /** Built on an L1 that only its builder's endpoint shows. */
  readonly isForeign: boolean;
  readonly envelope: Envelope;
}

/** What a block may be built with besides its parent. */
export interface BuildOptions {
  /** L1 origin; the parent's unless it is given. */
  readonly origin?: L1Header;
  readonly isForeign?: boolean;
  /** Rollbacks that its builder has heard of; all there are unless it is given. */
  readonly seen?: number;
}

/** Transactions of a large block: more than a request is bounded by elsewhere, and than is given back to the collector. */
const LARGE_BYTES = 1.25 * 1024 * 1024;

/** So many blocks fill a batch, and the batcher waits no longer than this for more of them. */
const BATCH_BLOCKS = 8;
const BATCHED_MS = 10_000;

export class Blocks {
  readonly #byHash = new Map<string, Block>();
  readonly genesis: Block;
  readonly #blockSeconds: number;
  readonly #hasAttributes: boolean;
  readonly #firstNumber: number;
  readonly #publishedAtMs = new Map<Block, number>();
  /** What an op-node has that nobody ever sealed: only the fault that puts it there knows of it. */
  readonly stray = new Set<string>();
  /** So many of the blocks that are built next are large, whoever builds them. */
  largeNext = 0;
  /** The batcher brings nothing above this height to L1; Infinity while it works. */
  batchedMax = Infinity;
  #built = 0;
  /** Each rollback: blocks of earlier branches are dead that are above the height and come from L1 blocks from `origin` on. */
  readonly #rollbacks: { readonly height: number; readonly origin: number }[] = [];

  /** `hasAttributes`: blocks open with the deposit that names their L1 origin. `firstNumber`: height of the first one. */
  constructor(blockSeconds: number, hasAttributes = false, firstNumber = 0) {
    this.#hasAttributes = hasAttributes;
    this.#firstNumber = firstNumber;
    this.#blockSeconds = blockSeconds;
    this.genesis = this.#add(null, Math.floor(EPOCH_MS / 1000), -1, {});
  }

  get blockSeconds(): number {
    return this.#blockSeconds;
  }

  get isBatcherStanding(): boolean {
    return this.batchedMax < Infinity;
  }

  /** Rollbacks so far. */
  get branch(): number {
    return this.#rollbacks.length;
  }

  find(hash: string): Block | null {
    return this.#byHash.get(hash) ?? null;
  }

  parentOf(block: Block): Block | null {
    return this.find(block.parentHash);
  }

  /** The ancestor at a height, or the block itself. */
  ancestor(block: Block, number: number): Block {
    let at = block;
    while (at.number > number && at !== this.genesis) at = this.parentOf(at) ?? this.genesis;
    return at;
  }

  isAncestor(ancestor: Block, of: Block): boolean {
    return this.ancestor(of, ancestor.number) === ancestor;
  }

  /** A new block, different from all others. */
  build(parent: Block, builder: number, options: BuildOptions = {}): Block {
    const isLarge = this.largeNext > 0;
    if (isLarge) this.largeNext--;
    return this.#add(parent, parent.timestamp + this.#blockSeconds, builder, options, isLarge ? LARGE_BYTES : 0);
  }

  /** Somebody published it: the batcher sees it. */
  publish(block: Block, nowMs: number): void {
    this.#publishedAtMs.set(block, nowMs);
  }

  /** The last block at or below `head` that was published and that the batcher has brought to L1 since. */
  safeHead(head: Block, nowMs: number): Block {
    let at = this.lastLiving(head);
    while (at !== this.genesis) {
      const publishedAtMs = this.#publishedAtMs.get(at) ?? Infinity;
      const isBatched = head.number - at.number >= BATCH_BLOCKS || publishedAtMs <= nowMs - BATCHED_MS;
      if (publishedAtMs < Infinity && isBatched && at.number <= this.batchedMax) break;
      at = this.parentOf(at) ?? this.genesis;
    }
    return at;
  }

  /** The branch of a block that is built now. On a dead parent it knows nothing of the rollback that killed that, and dies of it, too. */
  branchOn(parent: Block | null, seen = Infinity): number {
    const killer = parent === null ? -1 : this.#killerOf(parent);
    return killer < 0 ? Math.min(this.branch, seen) : killer;
  }

  /** The rollup legitimately goes back to a height: what is above it is dead, if it comes from L1 blocks from `origin` on. */
  rollBackTo(height: number, origin = 0): void {
    this.#rollbacks.push({ height, origin });
  }

  /** The lowest height it may go back to again: the log gives back what lies below a rollback at once (rules 6 and 7). */
  get floor(): number {
    return Math.max(0, ...this.#rollbacks.map(({ height }) => height));
  }

  /** Whether the rollup has left this block behind, or it never was on it; `seen`: as one knows who has heard of so many rollbacks. */
  isDead(block: Block, seen = Infinity): boolean {
    const killer = this.#killerOf(block);
    return block.isForeign || (killer >= 0 && killer < seen);
  }

  /** The last ancestor that is not dead. */
  lastLiving(block: Block, seen = Infinity): Block {
    let at = block;
    while (this.isDead(at, seen)) at = this.parentOf(at) ?? this.genesis;
    return at;
  }

  /** Number of the rollback that left a block behind; −1 for none. */
  #killerOf({ number, branch, origin: from }: Block): number {
    return this.#rollbacks.findIndex(({ height, origin }, at) => branch <= at && number > height && from >= origin);
  }

  #add(parent: Block | null, timestamp: number, builder: number, options: BuildOptions, bytesMin = 0): Block {
    const unique = ++this.#built;
    const name = [0x7e, unique & 255, (unique >> 8) & 255, (unique >> 16) & 255];
    const transaction = new Uint8Array(Math.max(name.length, bytesMin));
    transaction.set(name);
    const { origin } = options;
    const sequenceNumber = parent === null || parent.origin !== origin?.number ? 0 : parent.sequenceNumber + 1;
    const isOpened = this.#hasAttributes && origin !== undefined;
    const envelope = buildBlock({
      parent: parent?.envelope ?? null,
      firstNumber: this.#firstNumber,
      timestamp,
      transactions: isOpened ? [l1Attributes(origin, sequenceNumber, unique), transaction] : [transaction],
    });
    const { blockHash, parentHash } = envelope.executionPayload;
    const block: Block = {
      number: parent === null ? this.#firstNumber : parent.number + 1,
      hash: prefixedHex(blockHash),
      parentHash: prefixedHex(parentHash),
      timestamp,
      branch: this.branchOn(parent, options.seen),
      builder,
      origin: origin?.number ?? parent?.origin ?? 0,
      originHash: origin?.hash ?? parent?.originHash ?? null,
      sequenceNumber,
      isForeign: options.isForeign === true || parent?.isForeign === true,
      envelope,
    };
    this.#byHash.set(block.hash, block);
    return block;
  }
}

/** The JSON that op-node sends with a block. */
export function payloadOf(block: Block): unknown {
  return formatEnvelope(block.envelope);
}
