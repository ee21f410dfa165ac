/**
 * The newest entries of the log whole, so that they are sent and applied without reading the store. Bounded in
 * bytes; entries that are not durable yet always stay.
 */
import { assert } from '../assert.ts';
import type { Entry } from './types.ts';

/** What a cached entry costs beside its data, roughly, so that many small ones are bounded too. */
const CACHED_ENTRY_BYTES = 256;
/** The cache is trimmed in bulk when it exceeds its bound by this part. */
const CACHE_SLACK = 1 / 8;

export class EntryCache {
  readonly #bytesMax: number;
  /** Consecutive; the last one is that of the log. */
  #entries: Entry[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Of an index within the cache. */
  at(index: number): Entry {
    const entry = this.#entries[index - (this.#entries[0]?.index ?? 0)];
    assert(entry !== undefined, 'the entry is in the cache');
    return entry;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += costOf(entry);
  }

  /** Drops the last entry; nothing when there is none. */
  pop(): void {
    const entry = this.#entries.pop();
    if (entry) this.#bytes -= costOf(entry);
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  /** Drops what is not in the log any more, below `firstIndex`, and durable entries until the bound is kept. */
  trim(firstIndex: number, persistedIndex: number): void {
    const isFull = this.#bytes > this.#bytesMax * (1 + CACHE_SLACK);
    let drop = 0;
    for (const entry of this.#entries) {
      const mustGo = entry.index < firstIndex;
      const mayGo = isFull && entry.index <= persistedIndex && this.#bytes > this.#bytesMax;
      if (!mustGo && !mayGo) break;
      this.#bytes -= costOf(entry);
      drop++;
    }
    if (drop > 0) this.#entries.splice(0, drop);
  }
}

function costOf(entry: Entry): number {
  return (entry.data?.length ?? 0) + CACHED_ENTRY_BYTES;
}
