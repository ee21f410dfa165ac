/**
 * L1 as the op-nodes see it: a new block every few seconds, of which rollup blocks name one as their origin; reorgs of
 * it, which each node hears of at its own time; an endpoint that is on another branch than all others; and times in
 * which no L1 block comes.
 */
import { hashText } from './streams.ts';
import { EPOCH_MS } from './machine-clock.ts';

/** Between two L1 blocks. */
export const L1_SECONDS = 4;
/** Blocks below the newest that count as finalized. */
const FINALIZED_BELOW = 16;
/** More than any run has. */
const REORGS_MAX = 1024;

export interface L1Header {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: number;
}

/** What one machine's L1 endpoint shows. */
export class L1View {
  /** Rollbacks of the rollup that its node has heard of; Infinity for all there are. */
  seen = Infinity;
  /** Reorgs of L1 that its endpoint shows; Infinity for all there are. */
  reorgsSeen = Infinity;
  /** From this L1 block on it shows another branch than everybody else's; null while it shows the same. */
  forkedFrom: number | null = null;
}

export class L1 {
  /** Faults under way in which no L1 block comes. */
  #standing = 0;
  #stoodMs = 0;
  #sinceMs = 0;
  /** First L1 block that each reorg replaced. */
  readonly #reorgs: number[] = [];
  /** Hashes by what they are of; they are asked for again and again. */
  readonly #hashes = new Map<number, string>();

  /** Whether no block comes: sequencers have used up what they may be ahead of L1. */
  get isStanding(): boolean {
    return this.#standing > 0;
  }

  /** A fault keeps it from going on; with `by` −1 that is over. */
  stand(by: 1 | -1, nowMs: number): void {
    if (this.#standing === 0) this.#sinceMs = nowMs;
    this.#standing += by;
    if (this.#standing === 0) this.#stoodMs += nowMs - this.#sinceMs;
  }

  /** Number of the newest block. */
  headAt(nowMs: number): number {
    const stoodMs = this.#stoodMs + (this.#standing > 0 ? nowMs - this.#sinceMs : 0);
    return Math.max(0, Math.floor((nowMs - stoodMs) / (L1_SECONDS * 1000)));
  }

  get reorgs(): number {
    return this.#reorgs.length;
  }

  /** The blocks from this one on are replaced. */
  reorgFrom(number: number): void {
    this.#reorgs.push(number);
  }

  /** The header that a machine's endpoint shows at a height; null above its head. */
  headerAt(number: number, view: L1View, nowMs: number): L1Header | null {
    if (number < 0 || number > this.headAt(nowMs)) return null;
    return {
      number,
      hash: this.#hashAt(number, view),
      parentHash: this.#hashAt(number - 1, view),
      timestamp: Math.floor(EPOCH_MS / 1000) + number * L1_SECONDS,
    };
  }

  finalizedAt(nowMs: number): number {
    return Math.max(0, this.headAt(nowMs) - FINALIZED_BELOW);
  }

  #hashAt(number: number, view: L1View): string {
    let reorgs = 0;
    for (let at = 0; at < this.#reorgs.length && at < view.reorgsSeen; at++) if (number >= this.#reorgs[at]!) reorgs++;
    const isForked = view.forkedFrom !== null && number >= view.forkedFrom;
    const key = 2 * (number * REORGS_MAX + reorgs) + (isForked ? 1 : 0);
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const name = `L1 ${number} ${reorgs} ${isForked ? 'other' : 'common'}`;
    const words = Array.from({ length: 8 }, (_, at) => hashText(`${name} ${at}`));
    const hash = `0x${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`;
    this.#hashes.set(key, hash);
    return hash;
  }
}
