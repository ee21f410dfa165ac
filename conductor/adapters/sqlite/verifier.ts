/**
 * Checks the data of stored entries: the tail at open, where a crash or a bad sector does most
 * harm, and everything before it later in small steps, so that a gigabyte of log opens at once.
 */
import type { EntrySummary } from '#conductor/ports';
import type { LogTable } from './log-table.ts';
import type { StoreError } from './store-error.ts';

/** Tail of the log whose data is checked at open. */
const tailEntriesMax = 64;
const tailBytesMax = 16 * 1024 * 1024;

/** Outcome of one step of background verification. */
export interface Verification {
  /** True when everything that was in the log at open has been checked, or an error was found. */
  readonly done: boolean;
  readonly error?: StoreError;
}

export class Verifier {
  readonly #log: LogTable;
  #next: number;
  readonly #through: number;

  /** Checks the tail; throws StoreError 'corrupt'. */
  constructor(log: LogTable, heads: readonly EntrySummary[]) {
    this.#log = log;
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

  /** Checks entries of firstIndex..lastIndex not yet checked, up to about bytesMax of data; returns whether that was the last. */
  step(firstIndex: number, lastIndex: number, bytesMax: number): boolean {
    const through = Math.min(this.#through, lastIndex);
    let bytes = 0;
    for (this.#next = Math.max(this.#next, firstIndex); this.#next <= through && bytes < bytesMax; this.#next += 1) {
      bytes += Math.max(1, this.#log.read(this.#next).data?.length ?? 0);
    }
    return this.#next > through;
  }
}
