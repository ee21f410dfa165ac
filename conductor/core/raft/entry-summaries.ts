/**
 * Terms and sizes of every entry in the log, in memory, with the bytes of data they stand for. Entries come and
 * go at the end one by one, and go at the beginning in bulk.
 */
import { assert } from '../assert.ts';
import type { EntrySummary } from '../ports.ts';

/** How many leading holes the array may carry before it is rebuilt. */
const HOLES_MAX = 4096;

export class EntrySummaries {
  /** Those of firstIndex..lastIndex, after `#holes` dead slots. */
  #summaries: EntrySummary[];
  #holes = 0;
  #firstIndex: number;
  #bytes = 0;

  /** `firstIndex` is that of the first entry, or of the next one when there is none. */
  constructor(summaries: readonly EntrySummary[], firstIndex: number) {
    this.#summaries = [...summaries];
    this.#firstIndex = firstIndex;
    for (const { size } of summaries) this.#bytes += size;
  }

  /** Smallest index present; lastIndex + 1 when there is none. */
  get firstIndex(): number {
    return this.#firstIndex;
  }

  get lastIndex(): number {
    return this.#firstIndex + this.#summaries.length - this.#holes - 1;
  }

  at(index: number): EntrySummary | undefined {
    if (index < this.#firstIndex) return undefined;
    return this.#summaries[index - this.#firstIndex + this.#holes];
  }

  /** Bytes of data in the entries from `index` on. */
  bytesFrom(index: number): number {
    let bytes = this.#bytes;
    for (let gone = this.#firstIndex; gone < index; gone++) bytes -= this.at(gone)?.size ?? 0;
    return bytes;
  }

  push(summary: EntrySummary): void {
    this.#summaries.push(summary);
    this.#bytes += summary.size;
  }

  /** Drops the last one and returns it; there must be one. */
  pop(): EntrySummary {
    assert(this.lastIndex >= this.#firstIndex, 'there is an entry to drop');
    const summary = this.#summaries.pop()!;
    this.#bytes -= summary.size;
    return summary;
  }

  /** Drops all up to `through`, oldest first, and tells of each. */
  dropThrough(through: number, dropped: (summary: EntrySummary) => void): void {
    while (this.#firstIndex <= Math.min(through, this.lastIndex)) {
      const summary = this.#summaries[this.#holes]!;
      this.#summaries[this.#holes++] = undefined as never;
      this.#firstIndex++;
      this.#bytes -= summary.size;
      dropped(summary);
    }
    if (this.#holes > HOLES_MAX) {
      this.#summaries = this.#summaries.slice(this.#holes);
      this.#holes = 0;
    }
  }
}
