/**
 * The log as the core sees it: terms and sizes of every stored entry in memory, recent entries whole,
 * older ones read from the store on demand, and the changes not yet handed to the store.
 * Thesis §3.5 (log matching) and §5 (compaction).
 */
import { assert } from '../assert.ts';
import type { EntrySummary, LogStore, StateMachine, StoredEntry, StoredState, WriteBatch } from '../ports.ts';
import type { Entry, Snapshot, SnapshotMeta } from './types.ts';

/** How many leading holes the summary array may carry before it is rebuilt. */
const HOLES_MAX = 4096;
/** What a cached entry costs beside its data, roughly, so that many small ones are bounded too. */
const CACHED_ENTRY_BYTES = 256;
/** The cache is trimmed in bulk when it exceeds its bound by this part. */
const CACHE_SLACK = 1 / 8;

type LogChanges = Pick<WriteBatch, 'truncateFrom' | 'entries' | 'compactThrough' | 'snapshot'>;

export class RaftLog {
  readonly #store: LogStore;
  readonly #machine: StateMachine;
  readonly #cacheBytesMax: number;
  /** Summaries of firstIndex..lastIndex, after `#holes` dead slots. */
  #summaries: EntrySummary[];
  #holes = 0;
  #firstIndex: number;
  /** Whole entries cacheFirst..lastIndex. */
  #cache: Entry[] = [];
  #cacheBytes = 0;
  #snapshot: SnapshotMeta | null;
  /** Bytes of entry data in the log, and of entries above the snapshot. */
  #bytes = 0;
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
    this.#cacheBytesMax = cacheBytesMax;
    this.#snapshot = stored.snapshot;
    this.#summaries = [...stored.entries];
    this.#firstIndex = stored.entries[0]?.index ?? (stored.snapshot?.index ?? 0) + 1;
    for (const summary of this.#summaries) {
      this.#account(summary, 1);
      machine.appended(summary);
    }
    this.#persistedIndex = this.lastIndex;
  }

  /** Smallest index present; lastIndex + 1 when the log is empty. */
  get firstIndex(): number {
    return this.#firstIndex;
  }

  get lastIndex(): number {
    return this.#firstIndex + this.#summaries.length - this.#holes - 1;
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
    let bytes = this.#bytes;
    for (let gone = this.#firstIndex; gone < index; gone++) bytes -= this.summaryAt(gone)?.size ?? 0;
    return bytes;
  }

  get bytesSinceSnapshot(): number {
    return this.#bytesSinceSnapshot;
  }

  summaryAt(index: number): EntrySummary | undefined {
    if (index < this.#firstIndex) return undefined;
    return this.#summaries[index - this.#firstIndex + this.#holes];
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
      this.#cacheBytes += held.size + CACHED_ENTRY_BYTES;
      this.#unwritten.push({ entry, summary });
      this.#machine.appended(held);
    }
  }

  /** Drops entries with index ≥ from. The caller guarantees that none of them is committed. */
  truncate(from: number): void {
    if (from > this.lastIndex) return;
    assert(from >= this.#firstIndex, 'only entries in the log are truncated');
    while (this.lastIndex >= from) {
      this.#account(this.#summaries.pop()!, -1);
      const cached = this.#cache.pop();
      if (cached) this.#cacheBytes -= (cached.data?.length ?? 0) + CACHED_ENTRY_BYTES;
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
    if (through < this.#firstIndex) return;
    // The state machine may still read what it wants to keep.
    this.#machine.compacted(through);
    while (this.#firstIndex <= through && this.lastIndex >= this.#firstIndex) {
      this.#account(this.#summaries[this.#holes]!, -1);
      this.#summaries[this.#holes++] = undefined as never;
      this.#firstIndex++;
    }
    if (this.#holes > HOLES_MAX) {
      this.#summaries = this.#summaries.slice(this.#holes);
      this.#holes = 0;
    }
    this.#compactThrough = through;
    this.#trimCache();
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
    assert(from >= this.#firstIndex, 'entries to read are in the log');
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
      const entry = this.#cache[index - cacheFirst]!;
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
    this.#trimCache();
  }

  /** Empties the log; the next entry is index + 1. */
  #restartAfter(index: number): void {
    if (this.lastIndex > index) this.#machine.truncated(index + 1);
    this.#machine.compacted(index);
    // All the store holds goes, also what it was about to cut off or to compact.
    this.#truncateFrom = 1;
    this.#compactThrough = undefined;
    this.#summaries = [];
    this.#holes = 0;
    this.#cache = [];
    this.#cacheBytes = 0;
    this.#bytes = 0;
    this.#unwritten = [];
    this.#firstIndex = index + 1;
    this.#persistedIndex = index;
  }

  #replaceSnapshot(snapshot: Snapshot): void {
    assert(snapshot.meta.index > (this.#snapshot?.index ?? 0), 'snapshots move forward');
    this.#snapshot = snapshot.meta;
    this.#newSnapshot = snapshot;
    this.#bytesSinceSnapshot = 0;
    for (let index = Math.max(this.#firstIndex, snapshot.meta.index + 1); index <= this.lastIndex; index++) {
      this.#bytesSinceSnapshot += this.summaryAt(index)!.size;
    }
  }

  #account(summary: EntrySummary, sign: 1 | -1): void {
    this.#bytes += sign * summary.size;
    if (summary.index > (this.#snapshot?.index ?? 0)) this.#bytesSinceSnapshot += sign * summary.size;
  }

  /** Keeps the cache within its bytes and within the log; entries not yet durable always stay. */
  #trimCache(): void {
    const cacheFirst = this.lastIndex - this.#cache.length + 1;
    const full = this.#cacheBytes > this.#cacheBytesMax * (1 + CACHE_SLACK);
    if (!full && cacheFirst >= this.#firstIndex) return;
    let drop = 0;
    while (drop < this.#cache.length) {
      const index = cacheFirst + drop;
      const mustGo = index < this.#firstIndex;
      const mayGo = full && index <= this.#persistedIndex && this.#cacheBytes > this.#cacheBytesMax;
      if (!mustGo && !mayGo) break;
      this.#cacheBytes -= (this.#cache[drop]!.data?.length ?? 0) + CACHED_ENTRY_BYTES;
      drop++;
    }
    if (drop > 0) this.#cache.splice(0, drop);
  }
}
