/**
 * What an op-conductor's raft keeps: log, term and vote, snapshot. All of it is in memory; what has changed since the last
 * batch is the next one. Simpler than Go's: term and vote are one write, and what is written is whole or not there.
 */
import { assert } from '#conductor/core/assert';
import type { LogStore, StoredEntry, WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState, Snapshot } from '#conductor/core/raft/types';

export class GoLog {
  #entries: Entry[] = [];
  #snapshot: Snapshot | null = null;
  #hard: HardState = { term: 0, votedTerm: 0, votedFor: null, recovering: false };
  #durableIndex: number;
  /** Terms of what an installed snapshot has taken the place of: Go leaves those entries before a gap in its log. */
  readonly #beforeGap = new Map<number, number>();
  // What the next batch has.
  #truncateFrom = Infinity;
  #appended: StoredEntry[] = [];
  #compactThrough = 0;
  #isSnapshotNew = false;
  #isHardNew = false;

  /** Opens what a disk holds. */
  constructor(store: LogStore) {
    const { hardState, snapshot, entries } = store.load();
    if (hardState !== null) this.#hard = hardState;
    if (snapshot !== null) this.#snapshot = { meta: snapshot, data: store.readSnapshot()! };
    const [first] = entries;
    if (first !== undefined) this.#entries = store.read(first.index, entries.at(-1)!.index, Infinity);
    assert(this.#entries.length === entries.length, 'the whole log can be read');
    this.#durableIndex = this.lastIndex;
  }

  get hard(): HardState {
    return this.#hard;
  }

  get term(): number {
    return this.#hard.term;
  }

  get snapshot(): Snapshot | null {
    return this.#snapshot;
  }

  get snapshotIndex(): number {
    return this.#snapshot?.meta.index ?? 0;
  }

  get firstIndex(): number {
    return this.#entries[0]?.index ?? this.snapshotIndex + 1;
  }

  get lastIndex(): number {
    return Math.max(this.#entries.at(-1)?.index ?? 0, this.snapshotIndex);
  }

  get lastTerm(): number {
    return this.termAt(this.lastIndex) ?? 0;
  }

  /** The log up to here was written when the last batch was. */
  get durableIndex(): number {
    return this.#durableIndex;
  }

  /** Of an entry of the log, or of the snapshot's last; null where neither is. */
  termAt(index: number): number | null {
    if (index === this.snapshotIndex && this.#snapshot !== null) return this.#snapshot.meta.term;
    return this.entryAt(index)?.term ?? this.#beforeGap.get(index) ?? null;
  }

  entryAt(index: number): Entry | null {
    return this.#entries[index - this.firstIndex] ?? null;
  }

  /** Entries from..to; null where one of them is not in the log any more. */
  entries(from: number, to: number): Entry[] | null {
    if (from <= to && (from < this.firstIndex || to > this.lastIndex)) return null;
    return this.#entries.slice(from - this.firstIndex, Math.max(0, to - this.firstIndex + 1));
  }

  setHard(change: Partial<HardState>): void {
    this.#hard = { ...this.#hard, ...change };
    this.#isHardNew = true;
  }

  append(entries: readonly Entry[]): void {
    assert(entries.length === 0 || entries[0]!.index === this.lastIndex + 1, 'the log has no gaps');
    this.#entries.push(...entries);
    for (const entry of entries) this.#appended.push({ entry, summary: null });
  }

  truncateFrom(index: number): void {
    this.#entries.length = Math.max(0, Math.min(this.#entries.length, index - this.firstIndex));
    this.#truncateFrom = Math.min(this.#truncateFrom, index);
    this.#appended = this.#appended.filter(({ entry }) => entry.index < index);
    this.#durableIndex = Math.min(this.#durableIndex, index - 1);
  }

  /** A snapshot of what is applied; at least so many entries stay. */
  takeSnapshot(snapshot: Snapshot, trailing: number): void {
    this.#setSnapshot(snapshot);
    this.#compact(Math.min(snapshot.meta.index, this.lastIndex - trailing));
  }

  /** A leader's snapshot. The log stays where it holds the snapshot's last entry, else it goes. */
  install(snapshot: Snapshot, trailing: number): void {
    const { index, term } = snapshot.meta;
    if (this.entryAt(index)?.term !== term) {
      for (const entry of this.#entries) if (entry.index < index) this.#beforeGap.set(entry.index, entry.term);
      this.truncateFrom(this.firstIndex);
    }
    this.takeSnapshot(snapshot, trailing);
  }

  /** Everything that has changed, to be written at once; null for nothing. */
  takeBatch(): WriteBatch | null {
    const batch: WriteBatch = {
      ...(this.#truncateFrom === Infinity ? {} : { truncateFrom: this.#truncateFrom }),
      ...(this.#appended.length === 0 ? {} : { entries: this.#appended }),
      ...(this.#compactThrough === 0 ? {} : { compactThrough: this.#compactThrough }),
      ...(this.#isSnapshotNew ? { snapshot: this.#snapshot! } : {}),
      ...(this.#isHardNew ? { hardState: this.#hard } : {}),
    };
    this.#truncateFrom = Infinity;
    this.#appended = [];
    this.#compactThrough = 0;
    this.#isSnapshotNew = false;
    this.#isHardNew = false;
    return Object.keys(batch).length === 0 ? null : batch;
  }

  persisted(): void {
    this.#durableIndex = this.lastIndex;
  }

  #setSnapshot(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#isSnapshotNew = true;
  }

  #compact(through: number): void {
    if (through < this.firstIndex) return;
    this.#entries.splice(0, through - this.firstIndex + 1);
    this.#compactThrough = through;
  }
}
