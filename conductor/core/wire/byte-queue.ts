/**
 * Bytes from a connection that were not yet understood. In the usual case one chunk holds whole
 * messages and is read in place; what is left of a chunk is copied to a buffer of our own, so that
 * every byte is moved a bounded number of times and no chunk is kept alive for its last few bytes.
 */

const NONE = new Uint8Array(0);
const OWNED_BYTES_MIN = 256;

/** A first-in first-out byte buffer with direct access to its head. */
export class ByteQueue {
  /** Read `bytes[position]` to `bytes[end - 1]`; never write. Another array after each push and settle. */
  bytes: Uint8Array = NONE;
  position = 0;
  end = 0;
  /** Is `bytes` ours to append to, or the caller's chunk? */
  #owned = false;
  #received = 0;

  /** Bytes that can be read now. */
  get available(): number {
    return this.end - this.position;
  }

  /** Bytes taken out so far, over the life of the queue. */
  get consumed(): number {
    return this.#received - this.available;
  }

  /** Adds a chunk. It must not be modified before `settle`. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#received += chunk.length;
    if (this.available === 0) {
      this.bytes = chunk;
      this.position = 0;
      this.end = chunk.length;
      this.#owned = false;
      return;
    }
    if (!this.#owned || this.end + chunk.length > this.bytes.length) this.#own(chunk.length);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  /** Whether bytes of this chunk are still to be read from where they are; whatever was taken out is a copy. */
  holds(chunk: Uint8Array): boolean {
    return this.bytes === chunk && this.available > 0;
  }

  /** Lets go of the caller's chunk: what is left of it is copied. */
  settle(): void {
    if (this.available === 0) {
      this.bytes = NONE;
      this.position = 0;
      this.end = 0;
      this.#owned = false;
    } else if (!this.#owned) {
      this.#own(0);
    }
  }

  /** Takes `length` available bytes out, by copy. */
  take(length: number): Uint8Array {
    const start = this.position;
    this.position = start + length;
    return this.bytes.slice(start, this.position);
  }

  /** Takes up to `max` bytes out, into `target` from `at`; returns how many. */
  drainInto(target: Uint8Array, at: number, max: number): number {
    const count = Math.min(max, this.available);
    if (count > 0) target.set(this.bytes.subarray(this.position, this.position + count), at);
    this.position += count;
    return count;
  }

  /** Takes up to `max` bytes out unread; returns how many. */
  drop(max: number): number {
    const count = Math.min(max, this.available);
    this.position += count;
    return count;
  }

  /** Moves what is left to a buffer of twice the room needed, so that moves are rare however small the chunks. */
  #own(extra: number): void {
    const left = this.available;
    const grown = new Uint8Array(Math.max(OWNED_BYTES_MIN, 2 * (left + extra)));
    grown.set(this.bytes.subarray(this.position, this.end));
    this.bytes = grown;
    this.position = 0;
    this.end = left;
    this.#owned = true;
  }
}
