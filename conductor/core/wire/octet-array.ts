/**
 * A byte string sent as an array of small integers, which nobody does but Go's decoder allows.
 * It can stop anywhere and go on when more has arrived.
 */
import type { ByteQueue } from './byte-queue.ts';
import { Kind, type MsgpackHead } from './msgpack-head.ts';
import { WireError } from './wire-error.ts';

const BYTES_START = 256;
const OCTET_MAX = 255;

/** Reads such an array. */
export class OctetArray {
  #left: number;
  #bytes: Uint8Array;
  #length = 0;

  /** `count` elements follow; already checked against its limit. */
  constructor(count: number) {
    this.#left = count;
    this.#bytes = new Uint8Array(Math.min(count, BYTES_START));
  }

  advance(queue: ByteQueue, head: MsgpackHead): boolean {
    for (; this.#left > 0; this.#left -= 1) {
      if (!head.peek(queue)) return false;
      if (head.kind !== Kind.integer && head.kind !== Kind.nil)
        throw new WireError('wrong-kind', 'a byte string sent as an array holds something else than integers');
      const value = head.kind === Kind.nil ? 0 : head.value;
      if (!(value >= 0 && value <= OCTET_MAX))
        throw new WireError('out-of-range', 'a byte string sent as an array holds an integer outside 0..255');
      queue.position += head.size;
      if (this.#length === this.#bytes.length) this.#grow();
      this.#bytes[this.#length] = value;
      this.#length += 1;
    }
    return true;
  }

  get result(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const grown = new Uint8Array(Math.min(this.#length + this.#left, 2 * this.#length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
