/**
 * op-conductor's state machine: the payload with the highest number so far, the first one of that number. It keeps nothing
 * else, and its snapshot is that payload.
 */
import { readSummary, summarizeData, summaryOf, type BlockSummary } from '#conductor/core/payload/block-summary';
import { prefixedHex } from '#conductor/core/payload/hex';
import { decodeSsz } from '#conductor/core/payload/ssz';
import { SszError } from '#conductor/core/payload/ssz-check';

/** A payload that is held. */
export interface HeldPayload {
  readonly number: bigint;
  readonly hash: string;
  readonly ssz: Uint8Array;
}

export class PayloadState {
  #head: HeldPayload | null = null;

  /** null before the first. */
  get head(): HeldPayload | null {
    return this.#head;
  }

  /** A committed command. What cannot be read, and what our own servers write to move the chain back, changes nothing. */
  apply(data: Uint8Array | null): void {
    const summary = data === null ? null : summarizeData(data, null);
    const block = summary === null ? null : readSummary(summary);
    if (block === null || block.isRollback) return;
    if (this.#head === null || block.number > this.#head.number) this.#hold(block, data!);
  }

  /** An error text where the bytes are no payload; then nothing has changed. */
  restore(data: Uint8Array): string | null {
    const decoded = decodeSsz(data);
    if (decoded instanceof SszError) return decoded.message;
    this.#hold(summaryOf(decoded.envelope), data);
    return null;
  }

  #hold({ number, hash }: BlockSummary, ssz: Uint8Array): void {
    this.#head = { number, hash: prefixedHex(hash), ssz };
  }
}
