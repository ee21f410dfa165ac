/**
 * Transactions read from the bytes of a JSON array straight into the place where their SSZ list will stand,
 * with room around it for the rest of the envelope: a commit of megabytes then makes neither a string of the
 * whole text nor a copy of any transaction. Only what op-node sends is read here, `"0x…","0x…"` without
 * white space; for anything else the caller takes the general road, which knows the errors.
 */
import { HexReader } from './hex-reader.ts';
import { ROOM_AFTER_LIST_BYTES, ROOM_BEFORE_LIST_BYTES, TRANSACTIONS_MAX } from './ssz-layout.ts';

const COMMA = 0x2c;
const QUOTE = 0x22;
/** Quotes and prefix around the digits of one transaction. */
const AROUND_DIGITS = 4;
/** A quote and the prefix `0x`. */
const BEFORE_DIGITS = 3;
const OFFSET_BYTES = 4;

/** A list of transactions as views into one buffer. */
export class PackedTransactions {
  /** Views, in order. */
  readonly items: readonly Uint8Array[];
  #buffer: Uint8Array | null;

  constructor(items: readonly Uint8Array[], buffer: Uint8Array) {
    this.items = items;
    this.#buffer = buffer;
  }

  /**
   * The buffer: ROOM_BEFORE_LIST_BYTES, the SSZ list (offsets, then bytes), ROOM_AFTER_LIST_BYTES. The first
   * caller may write into the room; null for all others.
   */
  claim(): Uint8Array | null {
    const buffer = this.#buffer;
    this.#buffer = null;
    return buffer;
  }
}

/** Hex digits read in one step, bytes: some milliseconds. */
const STEP_BYTES = 8 * 1024 * 1024;

/** Reading in steps of some milliseconds; ends with null when the text is not plain. */
export type Packing = Generator<undefined, PackedTransactions | null>;

/** Reads what stands between the brackets, `text[from]` to `text[to - 1]`. The text must not change meanwhile. */
export function* packTransactions(text: Uint8Array, from: number, to: number): Packing {
  const ends = separators(text, from, to);
  if (ends === null) return null;
  const digits = to - from - (AROUND_DIGITS + 1) * ends.length + 1;
  if (digits < 0 || digits % 2 !== 0) return null;
  const listBytes = OFFSET_BYTES * ends.length + digits / 2;
  const buffer = new Uint8Array(ROOM_BEFORE_LIST_BYTES + listBytes + ROOM_AFTER_LIST_BYTES);
  yield;
  const items = yield* readItems(
    text,
    from,
    ends,
    buffer.subarray(ROOM_BEFORE_LIST_BYTES, ROOM_BEFORE_LIST_BYTES + listBytes),
  );
  return items === null ? null : new PackedTransactions(items, buffer);
}

/** Where each item ends: at a comma, the last one at `to`; null for more than any state machine reads. */
function separators(text: Uint8Array, from: number, to: number): number[] | null {
  const ends: number[] = [];
  for (let at = from; ;) {
    const comma = text.indexOf(COMMA, at);
    const end = comma === -1 || comma > to ? to : comma;
    ends.push(end);
    if (end === to) return ends;
    if (ends.length === TRANSACTIONS_MAX) return null;
    at = end + 1;
  }
}

/** Fills the list; null at the first item that is not `"0x…"` around an even number of hex digits. */
function* readItems(
  text: Uint8Array,
  from: number,
  ends: readonly number[],
  list: Uint8Array,
): Generator<undefined, Uint8Array[] | null> {
  const offsets = new DataView(list.buffer, list.byteOffset, list.length);
  const items: Uint8Array[] = [];
  let place = OFFSET_BYTES * ends.length;
  const digits = new HexReader(text, list, place);
  let at = from;
  let stepEnd = from + STEP_BYTES;
  for (const end of ends) {
    if (at > stepEnd) {
      stepEnd = at + STEP_BYTES;
      digits.pause();
      yield;
    }
    if (!isQuoted(text, at, end) || !digits.read(at + BEFORE_DIGITS, end - 1)) return null;
    const next = place + (end - at - AROUND_DIGITS) / 2;
    offsets.setUint32(OFFSET_BYTES * items.length, place, true);
    items.push(list.subarray(place, next));
    place = next;
    at = end + 1;
  }
  digits.finish();
  return items;
}

function isQuoted(text: Uint8Array, at: number, end: number): boolean {
  const isLongEnough = end - at >= AROUND_DIGITS;
  return (
    isLongEnough && text[at] === QUOTE && text[at + 1] === 0x30 && text[at + 2] === 0x78 && text[end - 1] === QUOTE
  );
}
