/**
 * A LogStore in memory for tests of the core: what a write made durable survives `crash`, everything
 * is copied so that later changes to a batch cannot leak in, and writes can be made to fail.
 */
import type { EntrySummary, LogStore, StoredEntry, StoredState, WriteBatch } from '../../ports.ts';
import type { Entry, HardState, Snapshot } from '../types.ts';

export class MemoryStore implements LogStore {
  #entries: StoredEntry[] = [];
  #hardState: HardState | null = null;
  #snapshot: Snapshot | null = null;
  writes = 0;
  /** The next write throws with this message, and so does every one after it. */
  failure: string | null = null;

  load(): StoredState {
    const entries = this.#entries.map(({ entry, summary }): EntrySummary => ({
      index: entry.index,
      term: entry.term,
      type: entry.type,
      size: entry.data?.length ?? 0,
      summary,
    }));
    return { hardState: this.#hardState, snapshot: this.#snapshot?.meta ?? null, entries };
  }

  write(batch: WriteBatch): void {
    if (this.failure !== null) throw new Error(this.failure);
    this.writes++;
    const { truncateFrom, entries, compactThrough, snapshot, hardState } = batch;
    if (truncateFrom !== undefined) this.#entries = this.#entries.filter(({ entry }) => entry.index < truncateFrom);
    for (const stored of entries ?? []) {
      const last = this.#entries.at(-1)?.entry.index;
      if (last !== undefined && stored.entry.index !== last + 1)
        throw new Error(`gap: ${stored.entry.index} after ${last}`);
      this.#entries.push(structuredClone(stored));
    }
    if (compactThrough !== undefined) this.#entries = this.#entries.filter(({ entry }) => entry.index > compactThrough);
    if (snapshot) this.#snapshot = structuredClone(snapshot);
    if (hardState) this.#hardState = structuredClone(hardState);
  }

  read(from: number, to: number, bytesMax: number): Entry[] {
    const found: Entry[] = [];
    let bytes = 0;
    for (const { entry } of this.#entries) {
      if (entry.index < from || entry.index > to) continue;
      found.push(entry);
      bytes += entry.data?.length ?? 0;
      if (bytes >= bytesMax) break;
    }
    return found;
  }

  readSnapshot(): Uint8Array | null {
    return this.#snapshot?.data ?? null;
  }

  close(): void {}
}
