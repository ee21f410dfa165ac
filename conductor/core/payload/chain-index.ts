/**
 * Which payloads form the chain, after every prefix of the log (rules 1, 2, 6, 7). Each record carries
 * the state it leads to, so that entries may come and go at the log's end without anything being folded
 * again. What a snapshot covers is known through one restored payload, or through the head and tip that
 * compaction left behind ("pinned").
 */
import { assert } from '../assert.ts';
import { sameBytes } from '../same-bytes.ts';
import { ChainRecords, NONE, RESTORED, type ChainRecord } from './chain-records.ts';

/** Sequence numbers of the head and the tip (rule 1), both NONE while no payload is held. */
export interface ChainState {
  readonly head: number;
  readonly tip: number;
}

interface Pinned {
  readonly sequence: number;
  readonly record: ChainRecord;
}

const EMPTY: ChainState = { head: NONE, tip: NONE };

export class ChainIndex {
  readonly records = new ChainRecords();
  /** A snapshot or a compaction stands for everything up to this log index; the state there. */
  #boundaryIndex = 0;
  #boundary: ChainState = EMPTY;
  /** The payload of the snapshot at the boundary, until something is compacted above it. */
  #restored: ChainRecord | null = null;
  #pinned: Pinned[] = [];

  /** After the last entry of the log. */
  get last(): ChainState {
    return this.stateAfter(this.records.last);
  }

  /** After a record; NONE and records that a snapshot covers give the state at the boundary. */
  stateAfter(sequence: number): ChainState {
    if (!this.records.has(sequence) || this.records.indexOf(sequence) <= this.#boundaryIndex) return this.#boundary;
    return this.records.linksOf(sequence);
  }

  /** Where the restored snapshot's payload is found now: RESTORED, or its record in the log; NONE when that is past. */
  get restoredAs(): number {
    return this.#restored === null ? NONE : this.#boundary.head;
  }

  /** The records held outside the log, at most three. */
  get pinned(): readonly Pinned[] {
    return this.#pinned;
  }

  /** A record by its sequence number, whether in the log or pinned; null when it is no longer held. */
  record(sequence: number): ChainRecord | null {
    if (this.records.has(sequence)) return this.records.record(sequence);
    return this.#pinned.find((pin) => pin.sequence === sequence)?.record ?? null;
  }

  /** Block number of a record, in the log or pinned; null when it is no longer held. */
  numberOf(sequence: number): bigint | null {
    if (this.records.has(sequence)) return this.records.numberOf(sequence);
    return this.#pinned.find((pin) => pin.sequence === sequence)?.record.number ?? null;
  }

  /** The payload below on the same chain; NONE when it is not held. */
  previous(sequence: number): number {
    if (!this.records.has(sequence)) return NONE;
    const { previous } = this.records.linksOf(sequence);
    return this.numberOf(previous) === null ? NONE : previous;
  }

  /** From `tip` down its chain to the first payload not above `number`; NONE when the chain held ends before. */
  descend(tip: number, number: bigint): number {
    let sequence = tip;
    while (sequence !== NONE && this.numberOf(sequence)! > number) sequence = this.previous(sequence);
    return sequence;
  }

  append(record: ChainRecord): void {
    const sequence = this.records.next;
    if (record.index <= this.#boundaryIndex) {
      this.records.push(record, { previous: this.#parent(record), ...EMPTY });
      this.#resolve(sequence);
      return;
    }
    const state = this.last;
    const height = this.numberOf(state.head);
    const isHead = record.isRollback || height === null || record.number > height;
    const isTip = isHead || record.number === height;
    const parent = this.#parent(record);
    const previous =
      parent === NONE && isTip && !record.isRollback ? this.#acrossGap(state.tip, record.number) : parent;
    this.records.push(record, { previous, head: isHead ? sequence : state.head, tip: isTip ? sequence : state.tip });
  }

  /** Drops entries with index ≥ from; ones under a snapshot too, if nothing was compacted since it was restored. */
  truncate(from: number): void {
    const isFresh = this.#pinned.some((pin) => pin.sequence === RESTORED);
    assert(from > this.#boundaryIndex || isFresh, 'entries under a snapshot go only right after it is restored');
    this.records.dropBack(this.records.after(from - 1));
    if (from <= this.#boundaryIndex) this.#resolveAll();
  }

  /** Sequence numbers that would have to be pinned if entries with index ≤ through went. */
  neededBelow(through: number): readonly number[] {
    const cut = this.records.after(through);
    const { head, tip } = this.#stateAt(through, cut);
    return [...new Set([head, tip])].filter((sequence) => this.records.has(sequence) && sequence < cut);
  }

  /** Drops entries with index ≤ through; the state there stays known. */
  compact(through: number): void {
    const cut = this.records.after(through);
    const state = this.#stateAt(through, cut);
    if (through > this.#boundaryIndex) {
      this.#boundaryIndex = through;
      this.#boundary = state;
      this.#restored = null;
    }
    this.#pinned = [...new Set([state.head, state.tip])]
      .filter((sequence) => sequence !== NONE && !(sequence >= cut))
      .map((sequence) => ({ sequence, record: copyOf(this.record(sequence)!) }));
    this.records.dropFront(cut);
  }

  /** The state at log index `record.index` is this payload, whatever led there. */
  restore(record: ChainRecord): void {
    const later: ChainRecord[] = [];
    const cut = this.records.after(record.index);
    for (let sequence = cut; sequence < this.records.next; sequence++)
      later.push(copyOf(this.records.record(sequence)));
    this.records.dropBack(cut);
    this.records.forgetRestored();
    this.#boundaryIndex = record.index;
    this.#restored = copyOf(record);
    this.#pinned = [{ sequence: RESTORED, record: this.#restored }];
    this.#resolveAll();
    for (const entry of later) this.append(entry);
  }

  #stateAt(through: number, cut: number): ChainState {
    return through <= this.#boundaryIndex ? this.#boundary : this.stateAfter(cut - 1);
  }

  #resolveAll(): void {
    this.#boundary = { head: RESTORED, tip: RESTORED };
    const end = this.records.after(this.#boundaryIndex);
    for (let sequence = this.records.first; sequence < end; sequence++) this.#resolve(sequence);
  }

  /**
   * Looks whether a record under the snapshot is its payload, or a later one at its height, which is the tip.
   * Where the payload itself is compacted, it came before every record, so each at its height came later.
   */
  #resolve(sequence: number): void {
    const base = this.#restored;
    if (base === null || this.records.numberOf(sequence) !== base.number) return;
    const isBase = this.#boundary.head === RESTORED && sameBytes(this.records.record(sequence).hash, base.hash);
    this.#boundary = { head: isBase ? sequence : this.#boundary.head, tip: sequence };
  }

  #parent(record: ChainRecord): number {
    if (record.number === 0n) return NONE;
    const number = record.number - 1n;
    const found = this.records.find(number, record.parentHash);
    if (found !== NONE) return found;
    return (
      this.#pinned.find((pin) => pin.record.number === number && sameBytes(pin.record.hash, record.parentHash))
        ?.sequence ?? NONE
    );
  }

  /** The payload that a block whose parent is not held is taken to follow: the highest below, unless it stands at the parent's height. */
  #acrossGap(tip: number, number: bigint): number {
    if (number === 0n) return NONE;
    const below = this.descend(tip, number - 1n);
    return below !== NONE && this.numberOf(below) !== number - 1n ? below : NONE;
  }
}

function copyOf(record: ChainRecord): ChainRecord {
  return { ...record, hash: record.hash.slice(), parentHash: record.parentHash.slice() };
}
