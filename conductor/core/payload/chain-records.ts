/**
 * The payload entries of a log, ascending, in columns of typed arrays: about 150 bytes each with what
 * finds them. Records come at the end and go at either end. A record is named by a sequence number that
 * does not change while it is held; references to others are stored as distances back.
 */
import { assert } from '../assert.ts';
import { sameBytes } from '../same-bytes.ts';
import type { BlockSummary } from './block-summary.ts';

/** A reference to no record. */
export const NONE = -1;
/** A reference to the payload of a restored snapshot, which stands before every record. */
export const RESTORED = -2;

/** A payload entry; hashes are views, valid until records are next added or dropped. */
export interface ChainRecord extends BlockSummary {
  /** Log index. */
  readonly index: number;
  /** Bytes of the payload's SSZ. */
  readonly size: number;
}

/** What a record says of others, as sequence numbers, NONE or RESTORED. */
export interface RecordLinks {
  /** The payload below it on its chain. */
  readonly previous: number;
  /** The state after the record is applied: the head, and the tip (rule 1). */
  readonly head: number;
  readonly tip: number;
}

const ROLLBACK = 1;
const VALIDATED = 2;
const CAPACITY_MIN = 64;
const HASHES_BYTES = 64;
const FAR_NONE = 0xffffffff;
const FAR_RESTORED = 0xfffffffe;
/** Numbers that differ by a multiple of 2^52 share a key; what shares one is told apart by number and hash. */
const KEY_BITS = 52;

function columns(capacity: number) {
  return {
    index: new Float64Array(capacity),
    size: new Uint32Array(capacity),
    number: new BigUint64Array(capacity),
    timestamp: new BigUint64Array(capacity),
    hashes: new Uint8Array(capacity * HASHES_BYTES),
    flags: new Uint8Array(capacity),
    previous: new Uint32Array(capacity),
    head: new Uint32Array(capacity),
    tip: new Uint32Array(capacity),
    /** The record before with the same key. */
    sameKey: new Uint32Array(capacity),
  };
}

export class ChainRecords {
  #columns = columns(CAPACITY_MIN);
  #capacity = CAPACITY_MIN;
  /** Slot of the first record. */
  #offset = 0;
  #first = 0;
  #next = 0;
  /** The latest record of each key. */
  readonly #latest = new Map<number, number>();

  /** Sequence number of the first record; `next` when there is none. */
  get first(): number {
    return this.#first;
  }

  /** Sequence number the next record will have. */
  get next(): number {
    return this.#next;
  }

  get size(): number {
    return this.#next - this.#first;
  }

  /** The last record, or NONE. */
  get last(): number {
    return this.size === 0 ? NONE : this.#next - 1;
  }

  has(sequence: number): boolean {
    return sequence >= this.#first && sequence < this.#next;
  }

  indexOf(sequence: number): number {
    return this.#columns.index[this.#slot(sequence)]!;
  }

  numberOf(sequence: number): bigint {
    return this.#columns.number[this.#slot(sequence)]!;
  }

  linksOf(sequence: number): RecordLinks {
    const slot = this.#slot(sequence);
    const { previous, head, tip } = this.#columns;
    return {
      previous: near(sequence, previous[slot]!),
      head: near(sequence, head[slot]!),
      tip: near(sequence, tip[slot]!),
    };
  }

  record(sequence: number): ChainRecord {
    const slot = this.#slot(sequence);
    const { index, size, number, timestamp, hashes, flags } = this.#columns;
    const at = slot * HASHES_BYTES;
    return {
      index: index[slot]!,
      size: size[slot]!,
      number: number[slot]!,
      timestamp: timestamp[slot]!,
      hash: hashes.subarray(at, at + 32),
      parentHash: hashes.subarray(at + 32, at + 64),
      isRollback: (flags[slot]! & ROLLBACK) !== 0,
      isValidated: (flags[slot]! & VALIDATED) !== 0,
    };
  }

  /** The latest record with that number and hash, or NONE. */
  find(number: bigint, hash: Uint8Array): number {
    let sequence = this.#latest.get(keyOf(number)) ?? NONE;
    while (this.has(sequence)) {
      const slot = this.#slot(sequence);
      const at = slot * HASHES_BYTES;
      const { hashes } = this.#columns;
      if (this.#columns.number[slot] === number && sameBytes(hashes.subarray(at, at + 32), hash)) return sequence;
      sequence = near(sequence, this.#columns.sameKey[slot]!);
    }
    return NONE;
  }

  /** Sequence number of the first record with a log index above `through`; `next` when there is none. */
  after(through: number): number {
    let low = this.#first;
    let high = this.#next;
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (this.indexOf(middle) <= through) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Log index of the last rollback with an index of at most `through`; 0 for none. */
  lastRollbackUpTo(through: number): number {
    for (let sequence = this.after(through) - 1; sequence >= this.#first; sequence--)
      if ((this.#columns.flags[this.#slot(sequence)]! & ROLLBACK) !== 0) return this.indexOf(sequence);
    return 0;
  }

  push(record: ChainRecord, links: RecordLinks): void {
    assert(this.size === 0 || record.index > this.indexOf(this.#next - 1), 'payload records ascend by log index');
    if (this.#offset + this.size === this.#capacity) this.#resize();
    const sequence = this.#next++;
    const slot = this.#slot(sequence);
    const to = this.#columns;
    const key = keyOf(record.number);
    to.index[slot] = record.index;
    to.size[slot] = record.size;
    to.number[slot] = record.number;
    to.timestamp[slot] = record.timestamp;
    to.hashes.set(record.hash, slot * HASHES_BYTES);
    to.hashes.set(record.parentHash, slot * HASHES_BYTES + 32);
    to.flags[slot] = (record.isRollback ? ROLLBACK : 0) | (record.isValidated ? VALIDATED : 0);
    to.previous[slot] = far(sequence, links.previous);
    to.head[slot] = far(sequence, links.head);
    to.tip[slot] = far(sequence, links.tip);
    to.sameKey[slot] = far(sequence, this.#latest.get(key) ?? NONE);
    this.#latest.set(key, sequence);
  }

  /** Drops `from` and all after it. */
  dropBack(from: number): void {
    while (this.#next > Math.max(from, this.#first)) {
      const sequence = this.#next - 1;
      const slot = this.#slot(sequence);
      const key = keyOf(this.#columns.number[slot]!);
      const before = near(sequence, this.#columns.sameKey[slot]!);
      if (this.has(before)) this.#latest.set(key, before);
      else this.#latest.delete(key);
      this.#next--;
    }
  }

  /** Another snapshot is restored: what stood on the payload of the one before stands on nothing known. */
  forgetRestored(): void {
    const { previous } = this.#columns;
    for (let slot = this.#offset; slot < this.#offset + this.size; slot++) {
      if (previous[slot] === FAR_RESTORED) previous[slot] = FAR_NONE;
    }
  }

  /** Drops all before `to`. */
  dropFront(to: number): void {
    while (this.#first < Math.min(to, this.#next)) {
      const key = keyOf(this.numberOf(this.#first));
      if (this.#latest.get(key) === this.#first) this.#latest.delete(key);
      this.#first++;
      this.#offset++;
    }
    if (this.#capacity > CAPACITY_MIN && this.size < this.#capacity / 4) this.#resize();
  }

  /** Moves the records to the front of columns with half as much room again. */
  #resize(): void {
    const capacity = Math.max(CAPACITY_MIN, Math.ceil(this.size * 1.5));
    const to = columns(capacity);
    const from = this.#columns;
    const start = this.#offset;
    const end = start + this.size;
    to.number.set(from.number.subarray(start, end));
    to.timestamp.set(from.timestamp.subarray(start, end));
    to.hashes.set(from.hashes.subarray(start * HASHES_BYTES, end * HASHES_BYTES));
    for (const name of ['index', 'size', 'flags', 'previous', 'head', 'tip', 'sameKey'] as const) {
      to[name].set(from[name].subarray(start, end));
    }
    this.#columns = to;
    this.#capacity = capacity;
    this.#offset = 0;
  }

  #slot(sequence: number): number {
    assert(this.has(sequence), 'only records that are held are looked at');
    return sequence - this.#first + this.#offset;
  }
}

function keyOf(number: bigint): number {
  return Number(BigInt.asUintN(KEY_BITS, number));
}

function far(sequence: number, reference: number): number {
  if (reference === NONE) return FAR_NONE;
  return reference === RESTORED ? FAR_RESTORED : sequence - reference;
}

function near(sequence: number, distance: number): number {
  if (distance === FAR_NONE) return NONE;
  return distance === FAR_RESTORED ? RESTORED : sequence - distance;
}
