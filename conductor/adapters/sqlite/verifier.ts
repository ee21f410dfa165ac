/**
 * Checks the data of stored entries: the tail at open, where a crash or a bad sector does most
 * harm, and everything before it later in small steps, so that a gigabyte of log opens at once.
 */
import type { EntrySummary } from '#conductor/core/ports';
import type { LogTable } from './log-table.ts';
import { storeErrorFrom, type StoreError } from './store-error.ts';

/** Tail of the log whose data is checked at open. */
const tailEntriesMax = 64;
const tailBytesMax = 16 * 1024 * 1024;

/** Outcome of one step of background verification. */
export interface Verification {
  /** True when everything that was in the log at open has been checked. */
  readonly done: boolean;
  readonly error?: StoreError;
  /** The entry that the error is about; the next step goes on behind it. */
  readonly damagedIndex?: number;
}

export class Verifier {
  readonly #log: LogTable;
  readonly #path: string;
  #next: number;
  readonly #through: number;

  /** Checks the tail; throws StoreError 'corrupt'. */
  constructor(log: LogTable, heads: readonly EntrySummary[], path: string) {
    this.#log = log;
    this.#path = path;
    let bytes = 0;
    let position = heads.length;
    while (position > 0 && heads.length - position < tailEntriesMax && bytes < tailBytesMax) {
      position -= 1;
      const head = heads[position];
      if (head === undefined) break;
      log.read(head.index);
      bytes += head.size;
    }
    this.#next = heads[0]?.index ?? 1;
    this.#through = heads[position - 1]?.index ?? 0;
  }

  /** Checks entries of firstIndex..lastIndex not yet checked, up to about bytesMax of data. Never throws for bad content. */
  step(firstIndex: number, lastIndex: number, bytesMax: number): Verification {
    const through = Math.min(this.#through, lastIndex);
    this.#next = Math.max(this.#next, firstIndex);
    for (let bytes = 0; this.#next <= through && bytes < bytesMax;) {
      const index = this.#next++;
      try {
        bytes += Math.max(1, this.#log.read(index).data?.length ?? 0);
      } catch (error) {
        const done = this.#next > through;
        return { done, error: storeErrorFrom(error, 'Verifying the log', this.#path), damagedIndex: index };
      }
    }
    return { done: this.#next > through };
  }
}
