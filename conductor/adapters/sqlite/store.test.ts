import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Metrics, WriteBatch } from '#conductor/core/ports';
import { openStore, type SqliteStore, type StoreOptions } from './store.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt, hardStateAt, snapshotAt } from './testing/values.ts';

function open(directory: string, options: Partial<StoreOptions> = {}): SqliteStore {
  const store = openStore({ directory, serverId: 'n1', ...options });
  onTestFinished(() => store.close());
  return store;
}

const entries = (from: number, count: number, bytes = 40) =>
  Array.from({ length: count }, (_, at) => entryAt(from + at, 1, bytes));

describe('SqliteStore', () => {
  test('keeps the largest indexes and terms exactly', () => {
    const directory = temporaryDirectory();
    const top = Number.MAX_SAFE_INTEGER;
    const batch: WriteBatch = {
      hardState: hardStateAt(top),
      snapshot: snapshotAt(top - 2, top - 1),
      entries: [entryAt(top - 1, top - 1), entryAt(top, top)],
    };
    const store = open(directory);
    store.load();
    store.write(batch);
    store.close();
    const again = open(directory);
    const state = again.load();
    expect(state.hardState).toEqual(batch.hardState);
    expect(state.snapshot).toEqual(batch.snapshot?.meta);
    expect(state.entries.map(({ index, term }) => [index, term])).toEqual([
      [top - 1, top - 1],
      [top, top],
    ]);
    expect(again.read(top - 1, top, Infinity)).toEqual(batch.entries?.map((one) => one.entry));
  });

  test('a batch that breaks the contract is refused before anything is written, and the store goes on', () => {
    const store = open(temporaryDirectory());
    expect(() => store.write({ hardState: hardStateAt(1) })).toThrow('loaded before');
    store.load();
    expect(() => store.write({ entries: entries(1, 1) })).toThrow('hard state');
    store.write({ hardState: hardStateAt(1), entries: entries(1, 2) });
    expect(() => store.write({ entries: entries(9, 1) })).toThrow('continue the log');
    store.write({ entries: entries(3, 1) });
    expect(store.read(1, 3, Infinity)).toHaveLength(3);
    expect(() => store.read(3, 4, Infinity)).toThrow('only stored entries');
  });

  test('at its bound it fails with disk-full, refuses what follows, and reopens with all it acknowledged', () => {
    const directory = temporaryDirectory();
    const bytesMax = 2_000_000;
    const store = open(directory, { bytesMax });
    store.load();
    store.write({ hardState: hardStateAt(1) });
    let acknowledged = 0;
    const fill = (): void => {
      for (;;) {
        store.write({ hardState: hardStateAt(1), entries: entries(acknowledged + 1, 2, 50_000) });
        acknowledged += 2;
      }
    };
    expect(fill).toThrow(
      expect.objectContaining({ name: 'StoreError', code: 'disk-full', message: expect.stringMatching(/Free space/) }),
    );
    expect(acknowledged).toBeGreaterThan(10);
    expect(() => store.write({ hardState: hardStateAt(2) })).toThrow(expect.objectContaining({ code: 'failed' }));
    expect(() => store.maintain()).toThrow(expect.objectContaining({ code: 'failed' }));
    store.close();
    expect(statSync(join(directory, 'conductor.db')).size).toBeLessThanOrEqual(bytesMax);
    const again = open(directory);
    expect(again.load().entries).toHaveLength(acknowledged);
    expect(again.verifyNext(Infinity)).toEqual({ done: true });
    again.write({ entries: entries(acknowledged + 1, 2, 50_000) });
  });

  test('a failed batch leaves nothing: neither its entries nor its vote', () => {
    const directory = temporaryDirectory();
    const store = open(directory, { bytesMax: 1_000_000 });
    store.load();
    store.write({ hardState: hardStateAt(1), entries: entries(1, 1) });
    const tooMuch: WriteBatch = { hardState: hardStateAt(7), truncateFrom: 1, entries: entries(1, 40, 50_000) };
    expect(() => store.write(tooMuch)).toThrow(expect.objectContaining({ code: 'disk-full' }));
    store.close();
    const state = open(directory).load();
    expect(state.hardState?.term).toBe(1);
    expect(state.entries).toHaveLength(1);
  });

  test('compacted entries are deleted in steps, by writes and by maintain, until none is left', () => {
    const directory = temporaryDirectory();
    const store = open(directory);
    store.load();
    store.write({ hardState: hardStateAt(1), entries: entries(1, 300, 2000) });
    store.write({ snapshot: snapshotAt(300), compactThrough: 290 });
    let steps = 0;
    while (store.maintain()) steps += 1;
    expect(steps).toBeGreaterThan(5);
    const size = statSync(join(directory, 'conductor.db')).size;
    for (let next = 301; next < 800; next += 10) {
      store.write({ entries: entries(next, 10, 2000) });
      store.write({ snapshot: snapshotAt(next + 9), compactThrough: next });
      while (store.maintain());
    }
    store.close();
    expect(statSync(join(directory, 'conductor.db')).size).toBeLessThanOrEqual(size);
  });

  test('reports the time of every write, and counts the slow ones', () => {
    const observed: string[] = [];
    const metrics: Metrics = {
      count: (name: string) => void observed.push(name),
      gauge: (name: string) => void observed.push(name),
      observe: (name: string, seconds: number) => void observed.push(seconds > 0 && seconds < 5 ? name : 'nonsense'),
    };
    const quick = open(temporaryDirectory(), { metrics, slowWriteMs: 5000 });
    quick.load();
    quick.write({ hardState: hardStateAt(1) });
    expect(observed.splice(0)).toEqual(['fsync_seconds']);
    const slow = open(temporaryDirectory(), { metrics, slowWriteMs: 0 });
    slow.load();
    slow.write({ hardState: hardStateAt(1) });
    expect(observed).toEqual(['fsync_seconds', 'slow_writes_total']);
  });

  test('the write-ahead log is copied back before it grows past its bound, idle or not', () => {
    for (const isIdle of [true, false]) {
      const directory = temporaryDirectory();
      const store = open(directory);
      store.load();
      store.write({ hardState: hardStateAt(1) });
      let walBytes = 0;
      for (let index = 1; index <= 200; index += 1) {
        store.write({ entries: entries(index, 1, 100_000) });
        if (isIdle) store.maintain();
        walBytes = Math.max(walBytes, statSync(join(directory, 'conductor.db-wal')).size);
      }
      expect(walBytes).toBeLessThan(isIdle ? 1_600_000 : 2_600_000);
      expect(walBytes).toBeGreaterThan(1_000_000);
    }
  });

  test('of small entries, which share pages, hundreds are written before the log is copied back', () => {
    const directory = temporaryDirectory();
    const store = open(directory);
    store.load();
    store.write({ hardState: hardStateAt(1) });
    const size = (): number => statSync(join(directory, 'conductor.db')).size;
    const sizes = new Set<number>();
    let walBytes = 0;
    for (let index = 1; index <= 600; index += 1) {
      store.write({ entries: entries(index, 1, 1000) });
      store.maintain();
      sizes.add(size());
      walBytes = Math.max(walBytes, statSync(join(directory, 'conductor.db-wal')).size);
    }
    // The file grows only when the log is copied back.
    expect(sizes.size).toBeLessThan(6);
    expect(sizes.size).toBeGreaterThan(1);
    expect(walBytes).toBeLessThan(6_600_000);
  });

  test('a huge entry does not leave a huge write-ahead log', () => {
    const directory = temporaryDirectory();
    const store = open(directory);
    store.load();
    store.write({ hardState: hardStateAt(1), entries: [entryAt(1, 1, 20_000_000)] });
    const wal = join(directory, 'conductor.db-wal');
    expect(statSync(wal).size).toBeGreaterThan(20_000_000);
    store.maintain();
    store.write({ entries: entries(2, 1) });
    expect(statSync(wal).size).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(store.read(1, 1, 1)[0]?.data?.length).toBe(20_000_000);
  });
});
