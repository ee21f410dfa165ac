/**
 * Bytes waiting to be written to one socket. `socket.write` may take only part of what it is given,
 * so the rest stays here, by reference, until the socket drains. Small chunks are gathered into one
 * write: a message of three chunks is one system call and one packet, at the price of one copy.
 */

/** What a socket offers: takes a prefix of the bytes and returns its length, or -1 when it is closed. */
export interface ByteSink {
  write(bytes: Uint8Array): number;
}

/** 'empty': all is written. 'full': call flush again when the socket drains. 'closed': the socket is. */
export type FlushResult = 'empty' | 'full' | 'closed';

/** Chunks up to this size are gathered; a larger one is written on its own, without a copy. */
const GATHER_BYTES_MAX = 256 * 1024;
/** Written chunks at the front of the list that make it worth moving the rest down. */
const COMPACT_AT = 64;

/** One for all connections: its content never outlives a call of `flush`. */
let gathered: Uint8Array | null = null;

/** A first-in first-out queue of chunks. The caller checks `bytes` against its bound before `add`. */
export class SendQueue {
  readonly #chunks: Uint8Array[] = [];
  /** Index of the first chunk not fully written, and how much of it is. */
  #first = 0;
  #offset = 0;
  #bytes = 0;

  /** Bytes not yet taken by a socket. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends chunks by reference; they must not be modified any more. */
  add(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      if (chunk.length === 0) continue;
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    }
  }

  /** Writes until all is taken or the socket takes only part. */
  flush(sink: ByteSink): FlushResult {
    while (this.#bytes > 0) {
      const next = this.#nextWrite();
      const taken = sink.write(next);
      if (taken < 0) return 'closed';
      this.#consume(taken);
      if (taken < next.length) return 'full';
    }
    return 'empty';
  }

  /** Forgets everything. */
  clear(): void {
    this.#chunks.length = 0;
    this.#first = 0;
    this.#offset = 0;
    this.#bytes = 0;
  }

  /** The first chunk as it is, or a run of small ones in one piece. */
  #nextWrite(): Uint8Array {
    const head = this.#chunks[this.#first]!;
    const whole = this.#offset === 0 ? head : head.subarray(this.#offset);
    const following = this.#chunks[this.#first + 1];
    if (following === undefined || whole.length + following.length > GATHER_BYTES_MAX) return whole;
    gathered ??= new Uint8Array(GATHER_BYTES_MAX);
    gathered.set(whole);
    let length = whole.length;
    for (let i = this.#first + 1; i < this.#chunks.length; i += 1) {
      const chunk = this.#chunks[i]!;
      if (length + chunk.length > GATHER_BYTES_MAX) break;
      gathered.set(chunk, length);
      length += chunk.length;
    }
    return gathered.subarray(0, length);
  }

  #consume(count: number): void {
    this.#bytes -= count;
    if (this.#bytes === 0) {
      this.clear();
      return;
    }
    let left = count;
    while (left > 0) {
      const room = this.#chunks[this.#first]!.length - this.#offset;
      if (left < room) {
        this.#offset += left;
        break;
      }
      left -= room;
      this.#offset = 0;
      this.#first += 1;
    }
    if (this.#first < COMPACT_AT) return;
    this.#chunks.splice(0, this.#first);
    this.#first = 0;
  }
}
