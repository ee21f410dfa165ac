import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planBatch, type LogExtent } from './batch-plan.ts';
import { entryAt, snapshotAt } from './testing/values.ts';

const log = (firstIndex: number, lastIndex: number, garbageThrough = 0): LogExtent => ({
  firstIndex,
  lastIndex,
  garbageThrough,
});
const entries = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => entryAt(from + at));

describe('planBatch', () => {
  test('entries continue the log', () => {
    expect(planBatch(log(1, 0), { entries: entries(1, 3) })).toEqual({ extent: log(1, 3), deleteFrom: null });
    expect(() => planBatch(log(1, 3), { entries: entries(5, 6) })).toThrow('entries continue the log');
    expect(() => planBatch(log(1, 3), { entries: [entryAt(4), entryAt(6)] })).toThrow('contiguous');
  });

  test('an empty log begins anywhere', () => {
    expect(planBatch(log(1, 0), { entries: entries(50, 51) }).extent).toEqual(log(50, 51));
  });

  test('a conflicting tail is deleted at once', () => {
    expect(planBatch(log(1, 9), { truncateFrom: 5, entries: entries(5, 6) })).toEqual({
      extent: log(1, 6),
      deleteFrom: 5,
    });
  });

  test('compaction only moves the first index; the rows become garbage', () => {
    expect(planBatch(log(1, 9), { compactThrough: 4 })).toEqual({ extent: log(5, 9, 4), deleteFrom: null });
  });

  test('a snapshot past the log leaves it empty, expecting the next index', () => {
    expect(planBatch(log(3, 9), { snapshot: snapshotAt(20), compactThrough: 20 })).toEqual({
      extent: log(21, 20, 9),
      deleteFrom: null,
    });
  });

  test('a log dropped whole may begin again inside its old indexes, which are then deleted', () => {
    expect(planBatch(log(1, 9), { truncateFrom: 1, entries: entries(6, 7) })).toEqual({
      extent: log(6, 7, 5),
      deleteFrom: 6,
    });
  });

  test('truncating beyond the end and compacting before the beginning change nothing', () => {
    expect(planBatch(log(3, 9), { truncateFrom: 10, compactThrough: 2 })).toEqual({
      extent: log(3, 9),
      deleteFrom: null,
    });
  });

  test('garbage always lies below the log, whatever the batches', () => {
    const step = fc.record({
      truncate: fc.option(fc.nat(12)),
      jump: fc.nat(8),
      append: fc.nat(4),
      compact: fc.option(fc.nat(12)),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let extent = log(1, 0);
        for (const { truncate, jump, append, compact } of steps) {
          const truncateFrom = truncate === null ? extent.lastIndex + 1 : Math.max(1, extent.lastIndex - truncate);
          const isEmptied = extent.lastIndex < extent.firstIndex || truncateFrom <= extent.firstIndex;
          const start = isEmptied ? 1 + jump : Math.min(truncateFrom, extent.lastIndex + 1);
          const added = append === 0 ? {} : { entries: entries(start, start + append - 1) };
          const compactThrough = compact === null ? {} : { compactThrough: extent.firstIndex + compact };
          extent = planBatch(extent, { truncateFrom, ...added, ...compactThrough }).extent;
          expect(extent.garbageThrough).toBeLessThan(extent.firstIndex);
          expect(extent.lastIndex).toBeGreaterThanOrEqual(extent.firstIndex - 1);
        }
      }),
    );
  });
});
