/**
 * Root of the Merkle-Patricia trie that maps rlp(0), rlp(1), … to the items of a list (yellow paper,
 * appendix D; a block's transactions and withdrawals roots). The keys are known beforehand, so nothing
 * is inserted: the nodes of a level are written side by side and hashed together, the deepest level first.
 */
import { BLOCK_BYTES, HASH_BYTES, KeccakPairs, MEMORY_FROM, MEMORY_TO, MESSAGES_MAX } from './keccak-pairs.ts';
import { keccak256 } from './keccak.ts';
import { indexOf, nibbleOf, nibblesOf, sortedKeys, trieNodes, type TrieNodes } from './trie-nodes.ts';

/** Root of an empty list: keccak256(rlp("")). */
export const EMPTY_LIST_ROOT: Uint8Array = keccak256(Uint8Array.of(0x80));

const STRING = 0x80;
const LIST = 0xc0;
const EMPTY_REFERENCE = STRING;
const HASH_REFERENCE = STRING + HASH_BYTES;
const REFERENCE_BYTES_MAX = 1 + HASH_BYTES;
const EMBED_BELOW = 32;
const LEAF_FLAG = 0x20;
/** Bytes of nodes between two pauses: 10 ms at most. */
const STEP_BYTES = 2 * 1024 * 1024;
/** Longer items are hashed where they are. Transactions are shorter: op-geth's pool takes 128 KiB at most. */
export const ITEM_BYTES_MAX = 128 * 1024;
const LIST_HEADER_BYTES_MAX = 5;
/** More than a node without an item: a list header, sixteen references and an empty value at most. */
const NODE_BYTES_MAX = 1024;

const keccak = new KeccakPairs();
const { memory } = keccak;
/** A batch in memory, which outlives no pause: references to its nodes, then the nodes. */
const REFERENCES = MEMORY_FROM;
const NODES = REFERENCES + REFERENCE_BYTES_MAX * MESSAGES_MAX;
const LAST_AT = MEMORY_TO - NODE_BYTES_MAX;
const NOTHING = new Uint8Array(0);

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
  const keys = sortedKeys(items);
  if (keys.length === 0) return EMPTY_LIST_ROOT;
  const nodes = trieNodes(keys);
  const writer = new LevelWriter(items, keys, nodes);
  let pauseAtBytes = STEP_BYTES;
  for (let level = nodes.levels.length - 2; level >= 0; level--) {
    writer.begin(nodes.levels[level]!, nodes.levels[level + 1]!);
    while (!writer.writeBatch()) {
      if (writer.writtenBytes < pauseAtBytes) continue;
      pauseAtBytes = writer.writtenBytes + STEP_BYTES;
      yield;
    }
  }
  const root = writer.references;
  return root[0] === HASH_REFERENCE ? root.subarray(1) : keccak256(root);
}

/** Writes the nodes of one level after another, and how their parents refer to them. */
class LevelWriter {
  readonly #items: readonly Uint8Array[];
  readonly #keys: Int32Array;
  readonly #nodes: TrieNodes;
  /** To each node of this level: the node itself, or its hash as an RLP string; and where each starts. */
  #references = new Uint8Array(0);
  #starts = new Uint32Array(1);
  #childReferences = this.#references;
  #childStarts = this.#starts;
  /** The first nodes of the level below, of this one, and of the one that begins after it. */
  #firstChild = 0;
  #first = 0;
  #end = 0;
  /** What comes next: a node, and where it and the reference to it go in memory. */
  #node = 0;
  #at = NODES;
  #reference = REFERENCES;
  #writtenBytes = 0;

  constructor(items: readonly Uint8Array[], keys: Int32Array, nodes: TrieNodes) {
    this.#items = items;
    this.#keys = keys;
    this.#nodes = nodes;
  }

  /** Of nodes until now, each one counted as a block at least. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** The references to all nodes of a level that is complete. */
  get references(): Uint8Array {
    return this.#references.subarray(0, this.#starts.at(-1));
  }

  /** Begins a level: nodes `first` to `end` − 1, whose children are the level before. */
  begin(first: number, end: number): void {
    this.#childReferences = this.#references;
    this.#childStarts = this.#starts;
    this.#firstChild = this.#first;
    this.#references = new Uint8Array(REFERENCE_BYTES_MAX * (end - first));
    this.#starts = new Uint32Array(end - first + 1);
    this.#first = this.#node = first;
    this.#end = end;
  }

  /** Writes and hashes as many nodes as fit into memory; true when the level is complete. */
  writeBatch(): boolean {
    const filled = this.#starts[this.#node - this.#first]!;
    const end = Math.min(this.#end, this.#node + MESSAGES_MAX);
    this.#at = NODES;
    this.#reference = REFERENCES;
    while (this.#node < end && this.#writeNode(this.#node)) {
      this.#node++;
      this.#starts[this.#node - this.#first] = filled + this.#reference - REFERENCES;
    }
    keccak.hash();
    this.#references.set(memory.subarray(REFERENCES, this.#reference), filled);
    return this.#node === this.#end;
  }

  /** False when it does not fit into this batch. */
  #writeNode(node: number): boolean {
    const child = this.#nodes.firstChild[node]!;
    const childrenEnd = this.#nodes.firstChild[node + 1]!;
    if (child === childrenEnd) return this.#writeLeaf(node);
    if (this.#at > LAST_AT) return false;
    if (childrenEnd - child === 1) this.#writeExtension(node, child);
    else this.#writeBranch(node, child, childrenEnd);
    return true;
  }

  #writeLeaf(node: number): boolean {
    const key = this.#keyOf(node);
    const item = this.#items[indexOf(key)]!;
    const isLong = item.length > ITEM_BYTES_MAX;
    if (this.#at + (isLong ? 0 : item.length) > LAST_AT) return false;
    const pathEnd = this.#writePath(key, this.#nodes.depth[node]!, nibblesOf(key), LEAF_FLAG);
    const itemAt = writeStringHeader(item, pathEnd);
    if (isLong) {
      this.#refer(itemAt, item);
    } else {
      memory.set(item, itemAt);
      this.#refer(itemAt + item.length);
    }
    return true;
  }

  #writeExtension(node: number, child: number): void {
    const { depth } = this.#nodes;
    const pathEnd = this.#writePath(this.#keyOf(node), depth[node]!, depth[child]!, 0);
    this.#refer(this.#copyReferences(child, child + 1, pathEnd));
  }

  #writeBranch(node: number, firstChild: number, childrenEnd: number): void {
    const depth = this.#nodes.depth[node]!;
    const nibbleOfChild = (child: number): number => nibbleOf(this.#keyOf(child), depth);
    let at = this.#at + LIST_HEADER_BYTES_MAX;
    let nibble = 0;
    for (let child = firstChild; child < childrenEnd;) {
      for (; nibble < nibbleOfChild(child); nibble++) memory[at++] = EMPTY_REFERENCE;
      const from = child;
      while (child < childrenEnd && nibbleOfChild(child) === nibble) {
        child++;
        nibble++;
      }
      at = this.#copyReferences(from, child, at);
    }
    // The rest, and the value.
    for (; nibble <= 16; nibble++) memory[at++] = EMPTY_REFERENCE;
    this.#refer(at);
  }

  #keyOf(node: number): number {
    return this.#keys[this.#nodes.firstKey[node]!]!;
  }

  /** Copies the references to children `from` to `to` − 1; returns where they end. */
  #copyReferences(from: number, to: number, at: number): number {
    const start = this.#childStarts[from - this.#firstChild]!;
    const end = this.#childStarts[to - this.#firstChild]!;
    memory.set(this.#childReferences.subarray(start, end), at);
    return at + end - start;
  }

  /** Begins the next node with nibbles `from` to `to` − 1 of a key, in hex-prefix form (appendix C) as an RLP string. */
  #writePath(key: number, from: number, to: number, flag: number): number {
    let at = this.#at + LIST_HEADER_BYTES_MAX;
    let position = from;
    const bytes = ((to - from) >> 1) + 1;
    if (bytes > 1) memory[at++] = STRING + bytes;
    memory[at++] = (to - from) % 2 === 0 ? flag : flag + 0x10 + nibbleOf(key, position++);
    for (; position < to; position += 2) memory[at++] = nibbleOf(key, position) * 16 + nibbleOf(key, position + 1);
    return at;
  }

  /** Ends the next node, whose last bytes may be elsewhere, and embeds it or has it hashed. */
  #refer(end: number, rest: Uint8Array = NOTHING): void {
    const body = this.#at + LIST_HEADER_BYTES_MAX;
    const bytes = end - body + rest.length;
    const start = body - headerLength(bytes);
    writeHeader(bytes, LIST, start);
    this.#writtenBytes += Math.max(bytes, BLOCK_BYTES);
    if (body - start + bytes < EMBED_BELOW) {
      memory.copyWithin(this.#reference, start, end);
      this.#reference += end - start;
      return;
    }
    memory[this.#reference] = HASH_REFERENCE;
    if (rest.length === 0) keccak.add(start, end, this.#reference + 1);
    else memory.set(keccak256(memory.subarray(start, end), rest), this.#reference + 1);
    this.#reference += REFERENCE_BYTES_MAX;
    this.#at = end + BLOCK_BYTES;
  }
}

/** Writes what precedes an item's bytes in its RLP form: nothing for a single byte below 0x80. */
function writeStringHeader(item: Uint8Array, at: number): number {
  return item.length === 1 && item[0]! < STRING ? at : writeHeader(item.length, STRING, at);
}

/** Writes the RLP header of so many bytes; returns where they begin. */
function writeHeader(length: number, kind: number, start: number): number {
  let at = start;
  if (length < 56) {
    memory[at++] = kind + length;
    return at;
  }
  const lengthBytes = headerLength(length) - 1;
  memory[at++] = kind + 55 + lengthBytes;
  for (let shift = 8 * (lengthBytes - 1); shift >= 0; shift -= 8) memory[at++] = length >>> shift;
  return at;
}

function headerLength(length: number): number {
  if (length < 56) return 1;
  return length < 0x100 ? 2 : length < 0x10000 ? 3 : length < 0x1000000 ? 4 : 5;
}
