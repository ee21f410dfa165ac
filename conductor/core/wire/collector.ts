/**
 * Gathers one byte string that arrives in pieces. Its length was declared by the peer and may be a
 * lie, so the buffer grows with what has arrived: never more than twice that (but for the first few
 * KiB), never above the length.
 */
import type { ByteQueue } from './byte-queue.ts';

/** A buffer is not made smaller than this (but never larger than the length). */
const BUFFER_BYTES_MIN = 1024;

/** Collects exactly `length` bytes. */
export class Collector {
  readonly #length: number;
  #buffer = new Uint8Array(0);
  #filled = 0;

  constructor(length: number) {
    this.#length = length;
  }

  /** Takes what the queue has; true once the whole string is there. */
  advance(from: ByteQueue): boolean {
    const wanted = Math.min(this.#length, this.#filled + from.available);
    if (wanted > this.#buffer.length) this.#grow(wanted);
    this.#filled += from.drainInto(this.#buffer, this.#filled, this.#length - this.#filled);
    return this.#filled === this.#length;
  }

  /** The string; whole only after `advance` returned true. */
  get result(): Uint8Array {
    return this.#buffer;
  }

  #grow(wanted: number): void {
    const grown = new Uint8Array(Math.min(this.#length, Math.max(BUFFER_BYTES_MIN, 2 * wanted)));
    grown.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = grown;
  }
}
