/**
 * What a WriteBatch does to the extent of the log, worked out before anything is touched. Pure.
 * Rows that leave at the front, or all at once, are only declared garbage (one number in the state
 * row) and deleted later in small steps; rows that leave at the back are deleted at once, because
 * others with the same indexes take their place.
 */
import { assert } from '#conductor/core/assert';
import type { WriteBatch } from '#conductor/core/ports';

/** The live log is firstIndex..lastIndex; it is empty when lastIndex < firstIndex. */
export interface LogExtent {
  readonly firstIndex: number;
  readonly lastIndex: number;
  /** Highest row below firstIndex that is still to be deleted; 0 when there is none. */
  readonly garbageThrough: number;
}

/** The extent after the batch, and the rows to delete before its entries are inserted. */
export interface BatchPlan {
  readonly extent: LogExtent;
  /** Delete all rows with index ≥ this; null for none. */
  readonly deleteFrom: number | null;
}

/** Asserts that the batch's entries are contiguous, with each other and with what is left of the log. */
export function planBatch(extent: LogExtent, batch: WriteBatch): BatchPlan {
  let { firstIndex, lastIndex, garbageThrough } = extent;
  let deleteFrom: number | null = null;
  const { truncateFrom, compactThrough, entries } = batch;
  if (truncateFrom !== undefined && truncateFrom <= lastIndex) {
    if (truncateFrom > firstIndex) {
      deleteFrom = truncateFrom;
      lastIndex = truncateFrom - 1;
    } else if (firstIndex <= lastIndex) {
      garbageThrough = lastIndex;
      firstIndex = lastIndex + 1;
    }
  }
  const start = entries?.[0]?.entry.index;
  if (entries !== undefined && start !== undefined) {
    assert(lastIndex < firstIndex || start === lastIndex + 1, 'entries continue the log');
    assert(
      start >= 1 && entries.every((one, offset) => one.entry.index === start + offset),
      'entries of a batch are contiguous',
    );
    if (lastIndex < firstIndex) firstIndex = start;
    if (start <= garbageThrough) {
      deleteFrom = Math.min(deleteFrom ?? start, start);
      garbageThrough = start - 1;
    }
    lastIndex = start + entries.length - 1;
  }
  if (compactThrough !== undefined && compactThrough >= firstIndex) {
    if (firstIndex <= lastIndex) garbageThrough = Math.min(compactThrough, lastIndex);
    firstIndex = compactThrough + 1;
    lastIndex = Math.max(lastIndex, compactThrough);
  }
  return { extent: { firstIndex, lastIndex, garbageThrough }, deleteFrom };
}
