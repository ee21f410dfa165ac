/** A store that remembers the latest durable vote, so that tests can see that votes never regress. */
import type { TidyStore } from '#conductor/host/pump';
import type { StoredState, WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState } from '#conductor/core/raft/types';

export class WatchedStore implements TidyStore {
  readonly #store: TidyStore;
  #hardState: HardState | null = null;

  constructor(store: TidyStore) {
    this.#store = store;
  }

  /** Term and candidate of the latest durable vote; 0 and '' before any. */
  get vote(): { readonly votedTerm: number; readonly votedFor: string } {
    return { votedTerm: this.#hardState?.votedTerm ?? 0, votedFor: this.#hardState?.votedFor?.address ?? '' };
  }

  load(): StoredState {
    const state = this.#store.load();
    this.#hardState = state.hardState;
    return state;
  }

  write(batch: WriteBatch): void {
    this.#store.write(batch);
    this.#hardState = batch.hardState ?? this.#hardState;
  }

  read(from: number, to: number, bytesMax: number): Entry[] {
    return this.#store.read(from, to, bytesMax);
  }

  readSnapshot(): Uint8Array | null {
    return this.#store.readSnapshot();
  }

  maintain(): boolean {
    return this.#store.maintain?.() ?? false;
  }

  close(): void {
    this.#store.close();
  }
}
