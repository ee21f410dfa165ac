/**
 * A LogStore that also answers for single entries: the state machine reads payloads by index, and must
 * get null, not a broken assertion, for one that is not stored (any more, or yet).
 */
import type { LogStore, StoredState, WriteBatch } from './ports.ts';
import type { Entry } from './raft/types.ts';

export class DurableLog implements LogStore {
  readonly #store: LogStore;
  #first = 1;
  #last = 0;

  constructor(store: LogStore) {
    this.#store = store;
  }

  /** Data of a stored entry; null when there is none at this index. */
  dataAt(index: number): Uint8Array | null {
    if (index < this.#first || index > this.#last) return null;
    return this.#store.read(index, index, 1)[0]?.data ?? null;
  }

  load(): StoredState {
    const state = this.#store.load();
    this.#first = state.entries[0]?.index ?? 1;
    this.#last = state.entries.at(-1)?.index ?? 0;
    return state;
  }

  write(batch: WriteBatch): void {
    this.#store.write(batch);
    this.written(batch);
  }

  /** The host wrote this batch to the store. */
  written(batch: WriteBatch): void {
    if (batch.truncateFrom !== undefined) this.#last = Math.min(this.#last, batch.truncateFrom - 1);
    const { entries = [] } = batch;
    if (entries.length > 0) {
      const first = (entries[0] as (typeof entries)[number]).entry.index;
      if (this.#last < this.#first) this.#first = first;
      this.#last = first + entries.length - 1;
    }
    if (batch.compactThrough !== undefined) this.#first = Math.max(this.#first, batch.compactThrough + 1);
  }

  read(from: number, to: number, bytesMax: number): Entry[] {
    return this.#store.read(from, to, bytesMax);
  }

  readSnapshot(): Uint8Array | null {
    return this.#store.readSnapshot();
  }

  close(): void {
    this.#store.close();
  }
}
