/**
 * The payloads that have no answer yet, in the order in which they came, and how many and how large they may
 * be: what is verified, waits for the log or is in it already is bounded here.
 */
import type { BlockSummary } from '../payload/block-summary.ts';
import type { Verification } from './verify-hash.ts';

/** Longest wait of one commit, milliseconds; then its outcome is unknown. */
const commitDeadlineMs = 5000;
/** Bytes of payloads that may wait for their verification behind another; more are refused. */
export const unverifiedBytesMax = 128 * 1024 * 1024;
/** Smaller payloads are left to the collector. */
const releasedBytesMin = 1024 * 1024;
/** Commits that may wait at once for anything; more are refused. */
const commitsWaitingMax = 1024;

/** A payload on its way. */
export interface WaitingPayload {
  readonly answerId: number;
  readonly block: BlockSummary;
  readonly ssz: Uint8Array;
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
  /** null where hashes are not verified. */
  readonly verification: Verification | null;
  /**
   * 'unverified': for its hash; 'term': for this term's first entry; 'same': for the entry that already holds it; 'proposed': for its own; 'inquiry': for the node;
   * 'validating': for the execution client's verdict.
   */
  state: 'unverified' | 'term' | 'same' | 'proposed' | 'inquiry' | 'validating';
  /** What the execution client said of it; null while it was not asked. */
  verdict: 'valid' | 'unknown' | null;
  /** Others have its bytes, too: the log, or who was asked for a verdict and what is still being sent to them. */
  isShared: boolean;
  /** Term in which it was proposed or found; leadership of another ends the wait. */
  term: number;
}

export class WaitingPayloads {
  readonly #byAnswer = new Map<number, WaitingPayload>();

  get count(): number {
    return this.#byAnswer.size;
  }

  add(waiting: WaitingPayload): void {
    this.#byAnswer.set(waiting.answerId, waiting);
  }

  /** Discards one that nobody else has: the collector would let many of them pile up. */
  remove(waiting: WaitingPayload): void {
    this.#byAnswer.delete(waiting.answerId);
    if (!waiting.isShared) discardPayload(waiting.ssz);
  }

  has(waiting: WaitingPayload): boolean {
    return this.#byAnswer.has(waiting.answerId);
  }

  /** All of them, oldest first; those removed meanwhile are left out. */
  values(): IterableIterator<WaitingPayload> {
    return this.#byAnswer.values();
  }

  /** The first one whose hash is being verified; those behind it wait, so that blocks stay in order. */
  firstUnverified(): WaitingPayload | null {
    for (const waiting of this.#byAnswer.values()) if (waiting.state === 'unverified') return waiting;
    return null;
  }

  /** Why one more may not wait, whatever its size; null when it may. */
  whyFull(): string | null {
    return this.#byAnswer.size >= commitsWaitingMax ? `${commitsWaitingMax} commits already wait` : null;
  }

  /** Why one of this size may not wait for its verification; null when it may. The first in line always may. */
  whyTooLarge(bytes: number): string | null {
    if (this.firstUnverified() === null || this.#unverifiedBytes() + bytes <= unverifiedBytesMax) return null;
    return `${unverifiedBytesMax} bytes of payloads already wait for verification`;
  }

  isOverdue(waiting: WaitingPayload, nowMs: number): boolean {
    // The same sum as in `nextOverdueMs`: of times that are no integers a difference may fall short of it.
    return nowMs >= waiting.sinceMs + commitDeadlineMs;
  }

  /** When the first of them is overdue, monotonic milliseconds; Infinity for none. */
  nextOverdueMs(): number {
    let earliest = Infinity;
    for (const waiting of this.#byAnswer.values()) earliest = Math.min(earliest, waiting.sinceMs + commitDeadlineMs);
    return earliest;
  }

  #unverifiedBytes(): number {
    let bytes = 0;
    for (const { state, ssz } of this.#byAnswer.values()) if (state === 'unverified') bytes += ssz.length;
    return bytes;
  }
}

/** Gives back the memory of a payload that nobody looks at any more: its bytes are gone. */
function discardPayload({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= releasedBytesMin) buffer.transfer(0);
}

/** Whether it waits for nothing but the log. */
export function isReady({ state }: WaitingPayload): boolean {
  return state === 'term' || state === 'same';
}
