/**
 * The head of a msgpack value: its form byte, and the length, count or number that belongs to it.
 * Every value is a head (1 to 9 bytes) and, by kind, a body of bytes or further values. A head that
 * has not wholly arrived is looked at again later from its start, which costs at most nine bytes.
 */
import type { ByteQueue } from './byte-queue.ts';
import { WireError } from './wire-error.ts';

/** Kinds of values. `raw` are the forms that the new msgpack spec calls str. */
export const Kind = {
  nil: 0,
  bool: 1,
  integer: 2,
  float: 3,
  raw: 4,
  binary: 5,
  array: 6,
  map: 7,
  extension: 8,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

const TWO_32 = 0x1_0000_0000;

/** Kind and number of bytes after the form byte, for forms c0 to df; kind -1 is the one form that does not exist. */
const FORMS: readonly (readonly [kind: Kind | -1, width: number])[] = [
  [Kind.nil, 0],
  [-1, 0],
  [Kind.bool, 0],
  [Kind.bool, 0],
  [Kind.binary, 1],
  [Kind.binary, 2],
  [Kind.binary, 4],
  [Kind.extension, 1],
  [Kind.extension, 2],
  [Kind.extension, 4],
  [Kind.float, 4],
  [Kind.float, 8],
  [Kind.integer, 1],
  [Kind.integer, 2],
  [Kind.integer, 4],
  [Kind.integer, 8],
  [Kind.integer, 1],
  [Kind.integer, 2],
  [Kind.integer, 4],
  [Kind.integer, 8],
  [Kind.extension, 0],
  [Kind.extension, 0],
  [Kind.extension, 0],
  [Kind.extension, 0],
  [Kind.extension, 0],
  [Kind.raw, 1],
  [Kind.raw, 2],
  [Kind.raw, 4],
  [Kind.array, 2],
  [Kind.array, 4],
  [Kind.map, 2],
  [Kind.map, 4],
];
const FORM_FIRST = 0xc0;
const SIGNED_FIRST = 0xd0;
const FIXED_EXTENSION_FIRST = 0xd4;

/** Reads heads from a queue. The fields describe the head that `peek` last returned true for. */
export class MsgpackHead {
  kind: Kind = Kind.nil;
  /** The form byte. */
  form = 0;
  /** An integer (rounded, and then not a safe one, if it is outside ±(2^53-1)), a bool as 0 or 1, body bytes of a string or extension, elements of an array, pairs of a map. */
  value = 0;
  /** Of an extension: its type as an unsigned byte. */
  extensionType = 0;
  /** Bytes of the head. */
  size = 0;

  /** Looks at the value at the head of the queue and takes nothing; false if more bytes are needed. Throws WireError 'malformed'. */
  peek(queue: ByteQueue): boolean {
    const { bytes, position } = queue;
    const available = queue.end - position;
    if (available === 0) return false;
    const form = bytes[position]!;
    this.form = form;
    this.size = 1;
    if (form < 0x80) return this.#fixed(Kind.integer, form);
    if (form < 0x90) return this.#fixed(Kind.map, form & 0x0f);
    if (form < 0xa0) return this.#fixed(Kind.array, form & 0x0f);
    if (form < 0xc0) return this.#fixed(Kind.raw, form & 0x1f);
    if (form >= 0xe0) return this.#fixed(Kind.integer, form - 0x100);
    const [kind, width] = FORMS[form - FORM_FIRST]!;
    if (kind === -1) throw new WireError('malformed', 'the byte c1 starts no msgpack value');
    const size = 1 + width + (kind === Kind.extension ? 1 : 0);
    if (available < size) return false;
    this.kind = kind;
    this.size = size;
    if (kind === Kind.bool) {
      this.value = form & 1;
    } else if (kind === Kind.extension) {
      this.value = width === 0 ? 1 << (form - FIXED_EXTENSION_FIRST) : unsignedAt(bytes, position + 1, width);
      this.extensionType = bytes[position + size - 1]!;
    } else if (kind === Kind.integer && form >= SIGNED_FIRST) {
      this.value = signedAt(bytes, position + 1, width);
    } else if (kind !== Kind.float && width > 0) {
      this.value = unsignedAt(bytes, position + 1, width);
    }
    return true;
  }

  #fixed(kind: Kind, value: number): true {
    this.kind = kind;
    this.value = value;
    return true;
  }
}

/** Big-endian, 1, 2, 4 or 8 bytes; rounded above 2^53-1. */
function unsignedAt(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = at; i < at + width; i += 1) value = value * 256 + bytes[i]!;
  return value;
}

/** Two's complement, big-endian, 1, 2, 4 or 8 bytes; rounded outside ±(2^53-1). */
function signedAt(bytes: Uint8Array, at: number, width: number): number {
  const isNegative = bytes[at]! >= 0x80;
  if (width < 8) return unsignedAt(bytes, at, width) - (isNegative ? 2 ** (8 * width) : 0);
  const high = unsignedAt(bytes, at, 4) - (isNegative ? TWO_32 : 0);
  return high * TWO_32 + unsignedAt(bytes, at + 4, 4);
}
