/**
 * The shape of the Merkle-Patricia trie over the keys rlp(0), rlp(1), … (yellow paper, appendices C and D), found from
 * their sorted order. A key is a number of 32 bits here, its first nibble the highest four bits.
 */
import { assert } from '../assert.ts';

/** rlp(index) has at most four bytes below this. */
const ITEMS_MAX = 2 ** 24;

/**
 * The nodes, level by level from the root down. Each stands for neighbouring keys that agree in their first `depth`
 * nibbles: a leaf for one key, an extension or a branch for several. Arrays may be longer than there are nodes.
 */
export interface TrieNodes {
  /** Position of a node's first key. */
  readonly firstKey: Uint32Array;
  readonly depth: Uint8Array;
  /** The children of node n are firstChild[n] to firstChild[n + 1] − 1: of a leaf none, of an extension one. */
  readonly firstChild: Uint32Array;
  /** Each level's first node, then the number of all nodes. */
  readonly levels: readonly number[];
}

/** Keys of the items that have bytes, in order: rlp(0) is 0x80, between rlp(127) and rlp(128). */
export function sortedKeys(items: readonly Uint8Array[]): Int32Array {
  assert(items.length <= ITEMS_MAX, 'a list has at most 2^24 items');
  const keys = new Int32Array(items.length);
  let used = 0;
  const take = (index: number): void => {
    if (items[index]!.length > 0) keys[used++] = keyOf(index);
  };
  for (let index = 1; index < Math.min(items.length, 128); index++) take(index);
  if (items.length > 0) take(0);
  for (let index = 128; index < items.length; index++) take(index);
  return keys.subarray(0, used);
}

/** The nodes over one key or more. */
export function trieNodes(keys: Int32Array): TrieNodes {
  // Fewer branches than leaves, and fewer extensions than branches or as many.
  const countMax = 3 * keys.length;
  const firstKey = new Uint32Array(countMax);
  const keysEnd = new Uint32Array(countMax);
  const depth = new Uint8Array(countMax);
  const firstChild = new Uint32Array(countMax + 1);
  const levels = [0, 1];
  keysEnd[0] = keys.length;
  let count = 1;
  for (let node = 0; node < count; node++) {
    if (node === levels.at(-1)) levels.push(count);
    firstChild[node] = count;
    const from = firstKey[node]!;
    const to = keysEnd[node]!;
    if (to - from === 1) continue;
    // What all keys share leads to an extension's only child, one nibble more to a branch's children.
    const shared = sharedNibbles(keys[from]!, keys[to - 1]!);
    const childDepth = shared > depth[node]! ? shared : shared + 1;
    const bitsBehind = 32 - 4 * childDepth;
    for (let begin = from; begin < to; count++) {
      const path = keys[begin]! >> bitsBehind;
      let end = begin + 1;
      while (end < to && keys[end]! >> bitsBehind === path) end++;
      firstKey[count] = begin;
      keysEnd[count] = end;
      depth[count] = childDepth;
      begin = end;
    }
  }
  firstChild[count] = count;
  return { firstKey, depth, firstChild, levels };
}

function keyOf(index: number): number {
  if (index < 0x80) return (index === 0 ? 0x80 : index) << 24;
  const bytes = index < 0x100 ? 1 : index < 0x10000 ? 2 : 3;
  return ((0x80 + bytes) << 24) | (index << (8 * (3 - bytes)));
}

export function indexOf(key: number): number {
  const first = key >>> 24;
  return first <= 0x80 ? first & 0x7f : (key & 0xffffff) >>> (8 * (0x83 - first));
}

/** Nibbles of a key. */
export function nibblesOf(key: number): number {
  const first = key >>> 24;
  return first <= 0x80 ? 2 : 2 * (first - 0x7f);
}

export function nibbleOf(key: number, position: number): number {
  return (key >>> (28 - 4 * position)) & 15;
}

/** How many nibbles two different keys begin with alike. */
function sharedNibbles(first: number, second: number): number {
  return Math.clz32(first ^ second) >> 2;
}
