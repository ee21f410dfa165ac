/**
 * Writes the msgpack dialect of go-msgpack's old spec: raw strings only, unsigned and signed
 * integers in their own forms. Small values go to one growable scratch buffer that is reused by
 * every message; large byte strings are handed on by reference, so a commit copies no payload.
 */
import { encodeUtf8 } from './utf8.ts';
import { WireError } from './wire-error.ts';

/** Byte strings of at least this many bytes become chunks of their own. */
const REFERENCE_BYTES_MIN = 4096;
/** Up to this many bytes a loop is faster than a call of `set`. */
const SHORT_BYTES_MAX = 32;
const SCRATCH_BYTES_START = 16 * 1024;
/** A scratch buffer that one odd message made larger than this is not kept. */
const SCRATCH_BYTES_KEPT = 256 * 1024;
const NIL = 0xc0;
const TWO_32 = 0x1_0000_0000;

/** One message in the making: write values, then `finish`. Not re-entrant: one message at a time per writer. */
export class MsgpackWriter {
  #scratch = new Uint8Array(SCRATCH_BYTES_START);
  #length = 0;
  /** Where the scratch bytes that are not yet in a chunk begin. */
  #chunkStart = 0;
  #chunks: Uint8Array[] = [];

  /** The chunks of all that was written since the last `finish`; they stay valid for ever. */
  finish(): Uint8Array[] {
    this.#cut();
    const chunks = this.#chunks;
    this.reset();
    return chunks;
  }

  /** Forgets what was written; for use after an error. */
  reset(): void {
    this.#chunks = [];
    this.#length = 0;
    this.#chunkStart = 0;
    if (this.#scratch.length > SCRATCH_BYTES_KEPT) this.#scratch = new Uint8Array(SCRATCH_BYTES_START);
  }

  /** A byte as it is. */
  byte(value: number): void {
    if (this.#length === this.#scratch.length) this.#grow(1);
    this.#scratch[this.#length++] = value;
  }

  /** A pre-encoded key of a map; its value comes next. */
  key(bytes: Uint8Array): this {
    this.#copy(bytes);
    return this;
  }

  /** Bytes as they are, by copy. */
  #copy(bytes: Uint8Array): void {
    const length = bytes.length;
    if (this.#length + length > this.#scratch.length) this.#grow(length);
    const scratch = this.#scratch;
    let at = this.#length;
    for (let i = 0; i < length; i += 1) scratch[at++] = bytes[i]!;
    this.#length = at;
  }

  /** Bytes as they are, by reference when large. */
  raw(bytes: Uint8Array): void {
    if (bytes.length <= SHORT_BYTES_MAX) {
      this.#copy(bytes);
      return;
    }
    if (bytes.length >= REFERENCE_BYTES_MIN) {
      this.#cut();
      this.#chunks.push(bytes);
      return;
    }
    if (this.#length + bytes.length > this.#scratch.length) this.#grow(bytes.length);
    this.#scratch.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  nil(): void {
    this.byte(NIL);
  }

  bool(value: boolean): void {
    this.byte(value ? 0xc3 : 0xc2);
  }

  /** A raw string of these bytes; null is nil. */
  bytes(value: Uint8Array | null): void {
    if (value === null) {
      this.nil();
      return;
    }
    this.#rawHeader(value.length);
    this.raw(value);
  }

  /** A raw string of the text's UTF-8 bytes; null is nil. */
  text(value: string | null): void {
    if (value === null) {
      this.nil();
      return;
    }
    const length = value.length;
    if (length > 31) {
      this.bytes(encodeUtf8(value));
      return;
    }
    if (this.#length + 32 > this.#scratch.length) this.#grow(32);
    const scratch = this.#scratch;
    const start = this.#length;
    for (let i = 0; i < length; i += 1) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) {
        this.bytes(encodeUtf8(value));
        return;
      }
      scratch[start + 1 + i] = unit;
    }
    scratch[start] = 0xa0 | length;
    this.#length = start + 1 + length;
  }

  /** Go's uint64, in 0..2^53-1. */
  unsigned(value: number): void {
    if (value < 0) throw unencodable(value);
    if (value <= 0x7f) {
      this.#word(value, 0, 0);
    } else if (value <= 0xff) {
      this.#word(value, 0xcc, 1);
    } else if (value <= 0xffff) {
      this.#word(value, 0xcd, 2);
    } else if (value < TWO_32) {
      this.#word(value, 0xce, 4);
    } else {
      this.#word(value, 0xcf, 8);
    }
  }

  /** Go's int and int64, in -(2^53-1)..2^53-1. */
  signed(value: number): void {
    if (value >= -32 && value <= 0x7f) {
      this.#word(value, 0, 0);
    } else if (value >= -0x80 && value < 0) {
      this.#word(value, 0xd0, 1);
    } else if (value >= -0x8000 && value <= 0x7fff) {
      this.#word(value, 0xd1, 2);
    } else if (value >= -0x8000_0000 && value <= 0x7fff_ffff) {
      this.#word(value, 0xd2, 4);
    } else {
      this.#word(value, 0xd3, 8);
    }
  }

  arrayHeader(length: number): void {
    this.#containerHeader(length, 0x90, 0xdc);
  }

  mapHeader(length: number): void {
    this.#containerHeader(length, 0x80, 0xde);
  }

  /** A form byte (none when `size` is 0) and the low `size` bytes of the value, or the value itself as one byte. */
  #word(value: number, form: number, size: number): void {
    if (!Number.isSafeInteger(value)) throw unencodable(value);
    if (this.#length + 9 > this.#scratch.length) this.#grow(9);
    const scratch = this.#scratch;
    let at = this.#length;
    if (size === 0) {
      scratch[at++] = value;
    } else {
      scratch[at++] = form;
      if (size === 8) {
        const high = Math.floor(value / TWO_32);
        scratch[at++] = high >>> 24;
        scratch[at++] = high >>> 16;
        scratch[at++] = high >>> 8;
        scratch[at++] = high;
      }
      if (size >= 4) {
        scratch[at++] = value >>> 24;
        scratch[at++] = value >>> 16;
      }
      if (size >= 2) scratch[at++] = value >>> 8;
      scratch[at++] = value;
    }
    this.#length = at;
  }

  #rawHeader(length: number): void {
    if (length < 32) this.byte(0xa0 | length);
    else if (length <= 0xffff) this.#word(length, 0xda, 2);
    else if (length < TWO_32) this.#word(length, 0xdb, 4);
    else throw new WireError('unencodable', `a string of ${length} bytes does not fit msgpack`);
  }

  #containerHeader(length: number, fixed: number, wide: number): void {
    if (length < 16) this.byte(fixed | length);
    else if (length <= 0xffff) this.#word(length, wide, 2);
    else this.#word(length, wide + 1, 4);
  }

  /** Ends the chunk that is being written; copies it, because the scratch buffer is used again. */
  #cut(): void {
    if (this.#length === this.#chunkStart) return;
    this.#chunks.push(this.#scratch.slice(this.#chunkStart, this.#length));
    this.#chunkStart = this.#length;
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#scratch.length * 2, this.#length + by));
    grown.set(this.#scratch.subarray(0, this.#length));
    this.#scratch = grown;
  }
}

function unencodable(value: number): WireError {
  return new WireError('unencodable', `${value} is not an integer that this field can carry`);
}
