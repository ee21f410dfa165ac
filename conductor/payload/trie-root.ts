/**
 * Root of the Merkle-Patricia trie that maps rlp(0), rlp(1), … to the items of a list (yellow paper,
 * appendix D; a block's transactions and withdrawals roots). The keys are known beforehand, so no trie
 * is built: leaves are hashed first, two at a time, then nodes bottom-up over ranges of the sorted keys.
 */
import { HASH_BYTES, keccakPairs, PAIRED_BYTES_MAX, type Place } from './keccak-pairs.ts';
import { keccak256 } from './keccak.ts';

/** Root of an empty list: keccak256(rlp("")). */
export const EMPTY_LIST_ROOT: Uint8Array = keccak256(Uint8Array.of(0x80));

const HASH_REFERENCE = 0xa0;
const EMPTY_REFERENCE = 0x80;
const EMBED_BELOW = 32;
/** Bytes hashed between two pauses: some 10 ms. */
const STEP_BYTES = 2 * 1024 * 1024;
/** Before an item in its leaf: a list header, the path and a string header. */
const LEAF_HEAD_BYTES_MAX = 24;
/** Room for a leaf's list header before its path. */
const LIST_HEADER_BYTES_MAX = 10;
/** More than the largest branch (a list header, sixteen references of 33 bytes, an empty value); short leaves fit too. */
const NODE_BYTES = 2048;

/**
 * The 32-byte root. Items without bytes are left out, as go-ethereum's stack trie does
 * (it refuses them and its caller does not look).
 */
export function orderedTrieRoot(items: readonly Uint8Array[]): Uint8Array {
  const steps = orderedTrieRootSteps(items);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps of some milliseconds, for lists of megabytes in a process that must not pause. */
export function* orderedTrieRootSteps(items: readonly Uint8Array[]): Generator<undefined, Uint8Array> {
  const order = sortedIndexes(items);
  if (order.length === 0) return EMPTY_LIST_ROOT;
  const reference = new Uint8Array(33);
  const hashes = yield* leafHashes(items, order);
  const length = yield* new NodeWriter(items, order, hashes).reference(0, order.length, 0, 0, reference, 0);
  return reference[0] === HASH_REFERENCE ? reference.subarray(1) : keccak256(reference.subarray(0, length));
}

/** Indexes of the items that have bytes, by their keys' order: rlp(0) is 0x80, between rlp(127) and rlp(128). */
function sortedIndexes(items: readonly Uint8Array[]): Uint32Array {
  const order = new Uint32Array(items.length);
  let used = 0;
  const take = (index: number): void => {
    if (items[index]!.length > 0) order[used++] = index;
  };
  for (let index = 1; index < Math.min(items.length, 128); index++) take(index);
  if (items.length > 0) take(0);
  for (let index = 128; index < items.length; index++) take(index);
  return order.subarray(0, used);
}

/** Whether a leaf's hash is among those made beforehand: it is long enough to be hashed at all, and fits. */
function isPaired(item: Uint8Array): boolean {
  return item.length >= EMBED_BELOW && item.length <= PAIRED_BYTES_MAX - LEAF_HEAD_BYTES_MAX;
}

/** Hashes of the paired leaves, each at HASH_BYTES times its position in `order`; null where there are no pairs. */
function* leafHashes(items: readonly Uint8Array[], order: Uint32Array): Generator<undefined, Uint8Array | null> {
  if (keccakPairs === null || order.length < 2) return null;
  const hashes = new Uint8Array(HASH_BYTES * order.length);
  let sharedBefore = 0;
  const write = (position: number, memory: Uint8Array, from: number, place: Place): boolean => {
    const index = order[position]!;
    // What leads to a leaf: one nibble more than its key shares with a neighbour's.
    const sharedAfter = position + 1 < order.length ? sharedNibbles(index, order[position + 1]!, 0) : 0;
    const depth = 1 + Math.max(sharedBefore, sharedAfter);
    sharedBefore = sharedAfter;
    const item = items[index]!;
    if (!isPaired(item)) return false;
    writeLeafHead(item, index, depth, memory, from, place);
    memory.set(item, place.end);
    place.end += item.length;
    return true;
  };
  for (let from = 0; from < order.length;) {
    let to = from;
    for (let bytes = 0; to < order.length && bytes < STEP_BYTES; to++) bytes += items[order[to]!]!.length;
    keccakPairs(from, to, write, hashes);
    from = to;
    if (to < order.length) yield;
  }
  return hashes;
}

/** Writes what precedes an item in its leaf, somewhere from `from` on, and says where that begins and ends. */
function writeLeafHead(
  item: Uint8Array,
  index: number,
  depth: number,
  out: Uint8Array,
  from: number,
  place: Place,
): void {
  const pathStart = from + LIST_HEADER_BYTES_MAX;
  const pathEnd = writePath(index, depth, keyNibbles(index), 0x20, out, pathStart);
  place.end = writeStringHeader(item, out, pathEnd);
  place.start = writeListHeaderBefore(out, pathStart, place.end - pathStart + item.length);
}

/** Where what was written ends; pauses on the way. */
type Steps = Generator<undefined, number>;

class NodeWriter {
  readonly #items: readonly Uint8Array[];
  readonly #order: Uint32Array;
  /** Of the paired leaves, by position. */
  readonly #hashes: Uint8Array | null;
  /** One buffer per level of recursion; a level's node is complete before its buffer is used again. */
  readonly #scratch: Uint8Array[] = [];
  readonly #leafScratch = new Uint8Array(NODE_BYTES);
  readonly #place: Place = { start: 0, end: 0 };
  /** Bytes hashed since the last pause. */
  #hashedBytes = 0;

  constructor(items: readonly Uint8Array[], order: Uint32Array, hashes: Uint8Array | null) {
    this.#items = items;
    this.#order = order;
    this.#hashes = hashes;
  }

  /** Writes how a parent refers to the node of keys `from`..`to`-1, which agree in their first `depth` nibbles; returns the end. */
  *reference(from: number, to: number, depth: number, level: number, out: Uint8Array, at: number): Steps {
    const node = (this.#scratch[level] ??= new Uint8Array(NODE_BYTES));
    const first = this.#order[from]!;
    if (to - from === 1) return this.#leaf(from, depth, node, out, at);
    const shared = sharedNibbles(first, this.#order[to - 1]!, depth);
    let end = 4;
    if (shared > 0) {
      end = writePath(first, depth, depth + shared, 0, node, end);
      end = yield* this.reference(from, to, depth + shared, level + 1, node, end);
    } else {
      end = yield* this.#children(from, to, depth, level, node, end);
    }
    const start = writeListHeaderBefore(node, 4, end - 4);
    return refer(node.subarray(start, end), undefined, out, at);
  }

  *#children(from: number, to: number, depth: number, level: number, node: Uint8Array, start: number): Steps {
    let end = start;
    let position = from;
    for (let nibble = 0; nibble < 16; nibble++) {
      const begin = position;
      while (position < to && keyNibble(this.#order[position]!, depth) === nibble) position++;
      if (position === begin) node[end++] = EMPTY_REFERENCE;
      else if (position - begin === 1) end = this.#leaf(begin, depth + 1, this.#leafScratch, node, end);
      else end = yield* this.reference(begin, position, depth + 1, level + 1, node, end);
    }
    if (this.#hashedBytes >= STEP_BYTES) {
      this.#hashedBytes = 0;
      yield;
    }
    node[end++] = EMPTY_REFERENCE;
    return end;
  }

  #leaf(position: number, depth: number, node: Uint8Array, out: Uint8Array, at: number): number {
    const index = this.#order[position]!;
    const item = this.#items[index]!;
    if (this.#hashes !== null && isPaired(item)) {
      out[at] = HASH_REFERENCE;
      for (let byte = 0; byte < HASH_BYTES; byte++) out[at + 1 + byte] = this.#hashes[HASH_BYTES * position + byte]!;
      return at + 1 + HASH_BYTES;
    }
    this.#hashedBytes += item.length;
    writeLeafHead(item, index, depth, node, 0, this.#place);
    const { start, end } = this.#place;
    if (end + item.length > node.length) return refer(node.subarray(start, end), item, out, at);
    node.set(item, end);
    return refer(node.subarray(start, end + item.length), undefined, out, at);
  }
}

/** Embeds a short node (its bytes are `head` then `rest`), or writes the hash of a longer one. */
function refer(head: Uint8Array, rest: Uint8Array | undefined, out: Uint8Array, at: number): number {
  const length = head.length + (rest?.length ?? 0);
  if (length < EMBED_BELOW) {
    out.set(head, at);
    if (rest !== undefined) out.set(rest, at + head.length);
    return at + length;
  }
  out[at] = HASH_REFERENCE;
  out.set(keccak256(head, rest), at + 1);
  return at + 33;
}

/** Nibbles in rlp(index). */
function keyNibbles(index: number): number {
  if (index < 0x80) return 2;
  if (index < 0x100) return 4;
  return index < 0x10000 ? 6 : index < 0x1000000 ? 8 : 10;
}

function keyNibble(index: number, position: number): number {
  if (index === 0) return position === 0 ? 8 : 0;
  if (index < 0x80) return position === 0 ? index >> 4 : index & 15;
  const nibbles = keyNibbles(index);
  if (position === 0) return 8;
  if (position === 1) return nibbles / 2 - 1;
  return (index >>> (4 * (nibbles - 1 - position))) & 15;
}

/** How many nibbles from `depth` on two different keys share. */
function sharedNibbles(first: number, last: number, depth: number): number {
  let shared = 0;
  while (keyNibble(first, depth + shared) === keyNibble(last, depth + shared)) shared++;
  return shared;
}

/** Writes nibbles `from`..`to`-1 of a key in hex-prefix form (appendix C) as an RLP string; `flag` is 0x20 for a leaf. */
function writePath(index: number, from: number, to: number, flag: number, out: Uint8Array, start: number): number {
  let at = start;
  let position = from;
  const bytes = ((to - from) >> 1) + 1;
  if (bytes > 1) out[at++] = 0x80 + bytes;
  out[at++] = (to - from) % 2 === 0 ? flag : flag + 0x10 + keyNibble(index, position++);
  for (; position < to; position += 2) out[at++] = keyNibble(index, position) * 16 + keyNibble(index, position + 1);
  return at;
}

/** Writes what precedes an item's bytes in its RLP form: nothing for a single byte below 0x80. */
function writeStringHeader(item: Uint8Array, out: Uint8Array, at: number): number {
  if (item.length === 1 && item[0]! < 0x80) return at;
  return writeLength(item.length, 0x80, out, at);
}

function writeLength(length: number, offset: number, out: Uint8Array, start: number): number {
  let at = start;
  if (length < 56) {
    out[at++] = offset + length;
    return at;
  }
  const bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4;
  out[at++] = offset + 55 + bytes;
  for (let shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out[at++] = length >>> shift;
  return at;
}

/** Writes the list header for `length` bytes that begin at `start`, right before them; returns where it begins. */
function writeListHeaderBefore(out: Uint8Array, start: number, length: number): number {
  const size = length < 56 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : length < 0x1000000 ? 4 : 5;
  writeLength(length, 0xc0, out, start - size);
  return start - size;
}
