/**
 * The log as the core sees it: terms and sizes of every stored entry in memory (entry-summaries.ts), recent
 * entries whole (entry-cache.ts), older ones read from the store on demand, and the changes not yet handed to it.
 * Thesis §3.5 (log matching) and §5 (compaction).
 */
import { assert } from '../assert.ts';
import { EntryCache } from './entry-cache.ts';
import { EntrySummaries } from './entry-summaries.ts';
import type { EntrySummary, LogStore, StateMachine, StoredEntry, StoredState, WriteBatch } from '../ports.ts';
import type { Entry, Snapshot, SnapshotMeta } from './types.ts';

type LogChanges = Pick<WriteBatch, 'truncateFrom' | 'entries' | 'compactThrough' | 'snapshot'>;

export class RaftLog {
  readonly #store: LogStore;
  readonly #machine: StateMachine;
  readonly #cache: EntryCache;
  #summaries: EntrySummaries;
  #snapshot: SnapshotMeta | null;
  /** Bytes of data in the entries above the snapshot. */
  #bytesSinceSnapshot = 0;
  #persistedIndex: number;
  // Changes since the last takeChanges().
  #truncateFrom: number | undefined;
  #unwritten: StoredEntry[] = [];
  #compactThrough: number | undefined;
  #newSnapshot: Snapshot | undefined;

  constructor(store: LogStore, machine: StateMachine, stored: StoredState, cacheBytesMax: number) {
    this.#store = store;
    this.#machine = machine;
    this.#cache = new EntryCache(cacheBytesMax);
    this.#snapshot = stored.snapshot;
    const firstIndex = stored.entries[0]?.index ?? (stored.snapshot?.index ?? 0) + 1;
    this.#summaries = new EntrySummaries(stored.entries, firstIndex);
    for (const summary of stored.entries) {
      this.#account(summary, 1);
      machine.appended(summary);
    }
    this.#persistedIndex = this.lastIndex;
  }

  /** Smallest index present; lastIndex + 1 when the log is empty. */
  get firstIndex(): number {
    return this.#summaries.firstIndex;
  }

  get lastIndex(): number {
    return this.#summaries.lastIndex;
  }

  get lastTerm(): number {
    return this.termAt(this.lastIndex) ?? 0;
  }

  /** Largest index known durable on this server. */
  get persistedIndex(): number {
    return this.#persistedIndex;
  }

  get snapshot(): SnapshotMeta | null {
    return this.#snapshot;
  }

  /** Bytes of data in the entries from `index` on. */
  bytesFrom(index: number): number {
    return this.#summaries.bytesFrom(index);
  }

  get bytesSinceSnapshot(): number {
    return this.#bytesSinceSnapshot;
  }

  summaryAt(index: number): EntrySummary | undefined {
    return this.#summaries.at(index);
  }

  /** Term of an entry, of the snapshot's last entry, or of index 0 (term 0); null where it is not known any more. */
  termAt(index: number): number | null {
    if (index === 0) return 0;
    const held = this.summaryAt(index);
    if (held) return held.term;
    return this.#snapshot?.index === index ? this.#snapshot.term : null;
  }

  append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      assert(entry.index === this.lastIndex + 1, 'entries are appended without a gap');
      assert(entry.term >= this.lastTerm, 'terms never fall along the log');
      const summary = this.#machine.summarize(entry);
      const held = { index: entry.index, term: entry.term, type: entry.type, size: entry.data?.length ?? 0, summary };
      this.#summaries.push(held);
      this.#account(held, 1);
      this.#cache.push(entry);
      this.#unwritten.push({ entry, summary });
      this.#machine.appended(held);
    }
  }

  /** Drops entries with index ≥ from. The caller guarantees that none of them is committed. */
  truncate(from: number): void {
    if (from > this.lastIndex) return;
    assert(from >= this.firstIndex, 'only entries in the log are truncated');
    while (this.lastIndex >= from) {
      this.#account(this.#summaries.pop(), -1);
      this.#cache.pop();
    }
    while (this.#unwritten.length > 0 && this.#unwritten[this.#unwritten.length - 1]!.entry.index >= from) {
      this.#unwritten.pop();
    }
    if (from <= this.#persistedIndex) {
      this.#truncateFrom = Math.min(this.#truncateFrom ?? from, from);
      this.#persistedIndex = from - 1;
    }
    this.#machine.truncated(from);
  }

  /** Drops entries with index ≤ through; a snapshot covers them. */
  compact(through: number): void {
    assert(through <= (this.#snapshot?.index ?? 0), 'only entries under a snapshot are compacted');
    if (through < this.firstIndex) return;
    // The state machine may still read what it wants to keep.
    this.#machine.compacted(through);
    this.#summaries.dropThrough(through, (summary) => this.#account(summary, -1));
    this.#compactThrough = through;
    this.#cache.trim(this.firstIndex, this.#persistedIndex);
  }

  /** A snapshot of our own state machine; entries stay until compacted. */
  takeSnapshot(snapshot: Snapshot): void {
    this.#replaceSnapshot(snapshot);
  }

  /**
   * A snapshot of the leader's. Entries after it are kept if this log holds its last entry (rule 7);
   * otherwise the whole log goes. Returns whether they were kept.
   */
  installSnapshot(snapshot: Snapshot): boolean {
    const keepsSuffix = this.termAt(snapshot.meta.index) === snapshot.meta.term;
    if (!keepsSuffix) this.#restartAfter(snapshot.meta.index);
    this.#replaceSnapshot(snapshot);
    return keepsSuffix;
  }

  /** Entries from `from`, at most `entriesMax` and `bytesMax` in sum; the first one in any case. */
  slice(from: number, entriesMax: number, bytesMax: number): Entry[] {
    assert(from >= this.firstIndex, 'entries to read are in the log');
    const last = Math.min(this.lastIndex, from + entriesMax - 1);
    const found: Entry[] = [];
    const cacheFirst = this.lastIndex - this.#cache.length + 1;
    let bytes = 0;
    if (from < cacheFirst) {
      for (const entry of this.#store.read(from, Math.min(last, cacheFirst - 1), bytesMax)) {
        const size = entry.data?.length ?? 0;
        if (found.length > 0 && bytes + size > bytesMax) return found;
        found.push(entry);
        bytes += size;
      }
      if (bytes >= bytesMax || from + found.length < cacheFirst) return found;
    }
    for (let index = from + found.length; index <= last && bytes < bytesMax; index++) {
      const entry = this.#cache.at(index);
      const size = entry.data?.length ?? 0;
      if (found.length > 0 && bytes + size > bytesMax) break;
      found.push(entry);
      bytes += size;
    }
    return found;
  }

  /** The latest snapshot whole, from memory while it is not yet durable, else from the store; null if there is none. */
  readSnapshot(): Snapshot | null {
    if (!this.#snapshot) return null;
    if (this.#newSnapshot) return this.#newSnapshot;
    const data = this.#store.readSnapshot();
    assert(data !== null, 'a snapshot that was written can be read');
    return { meta: this.#snapshot, data };
  }

  entryAt(index: number): Entry {
    return this.slice(index, 1, 1)[0]!;
  }

  /** Data of an entry in the log; null when it holds none, the entry is not (or no longer) in the log, or the store cannot read it. */
  dataAt(index: number): Uint8Array | null {
    if (!this.summaryAt(index)) return null;
    try {
      return this.entryAt(index).data;
    } catch {
      // Whoever needs the entry itself, to send it or to apply it, still meets the error.
      return null;
    }
  }

  get hasChanges(): boolean {
    return (
      this.#unwritten.length > 0 ||
      this.#truncateFrom !== undefined ||
      this.#compactThrough !== undefined ||
      this.#newSnapshot !== undefined
    );
  }

  /** What the store has to write now; the caller confirms with `persisted()`. */
  takeChanges(): LogChanges {
    const changes: LogChanges = {
      ...(this.#truncateFrom === undefined ? {} : { truncateFrom: this.#truncateFrom }),
      ...(this.#unwritten.length === 0 ? {} : { entries: this.#unwritten }),
      ...(this.#compactThrough === undefined ? {} : { compactThrough: this.#compactThrough }),
      ...(this.#newSnapshot === undefined ? {} : { snapshot: this.#newSnapshot }),
    };
    this.#truncateFrom = undefined;
    this.#unwritten = [];
    this.#compactThrough = undefined;
    this.#newSnapshot = undefined;
    return changes;
  }

  /** The changes last taken are durable. */
  persisted(): void {
    assert(this.#unwritten.length === 0, 'a write is confirmed before anything else is appended');
    this.#persistedIndex = this.lastIndex;
    this.#cache.trim(this.firstIndex, this.#persistedIndex);
  }

  /** Empties the log; the next entry is index + 1. */
  #restartAfter(index: number): void {
    // None of them is known to lead to the snapshot: what it holds at a height may have taken the place of what they hold.
    if (this.lastIndex >= this.firstIndex) this.#machine.truncated(this.firstIndex);
    this.#machine.compacted(index);
    // All the store holds goes, also what it was about to cut off or to compact.
    this.#truncateFrom = 1;
    this.#compactThrough = undefined;
    this.#summaries = new EntrySummaries([], index + 1);
    this.#cache.clear();
    this.#unwritten = [];
    this.#persistedIndex = index;
  }

  #replaceSnapshot(snapshot: Snapshot): void {
    assert(snapshot.meta.index > (this.#snapshot?.index ?? 0), 'snapshots move forward');
    this.#snapshot = snapshot.meta;
    this.#newSnapshot = snapshot;
    this.#bytesSinceSnapshot = this.bytesFrom(snapshot.meta.index + 1);
  }

  #account(summary: EntrySummary, sign: 1 | -1): void {
    if (summary.index > (this.#snapshot?.index ?? 0)) this.#bytesSinceSnapshot += sign * summary.size;
  }
}
