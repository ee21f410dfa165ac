import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { RaftLog } from './log.ts';
import { ListMachine } from './testing/list-machine.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { commandEntry, voters } from './testing/messages.ts';
import type { Entry, Snapshot } from './types.ts';

const CACHE_BYTES = 1200;
const RUNS = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 3000 : 150;

function snapshotAt(index: number, term: number): Snapshot {
  const data = new TextEncoder().encode(`state at ${index}`);
  const configuration = { index: 1, configuration: voters('n1') };
  return { meta: { index, term, configuration, size: data.length }, data };
}

/** The obvious log: an array, nothing cached, beside the real one; every operation is compared. */
class Pair {
  entries: Entry[] = [];
  firstIndex = 1;
  snapshot: Snapshot | null = null;
  term = 1;
  readonly store = new MemoryStore();
  machine = new ListMachine();
  log = this.#open();

  get lastIndex(): number {
    return this.firstIndex + this.entries.length - 1;
  }

  append(sizes: readonly number[]): void {
    const added = sizes.map((size, i) => commandEntry(this.lastIndex + 1 + i, this.term, 'x'.repeat(size)));
    this.entries.push(...added);
    this.log.append(added);
  }

  /** Never below what a snapshot covers. */
  truncate(from: number): void {
    const lowest = Math.max(this.firstIndex, (this.snapshot?.meta.index ?? 0) + 1);
    if (from < lowest) return;
    this.entries = this.entries.filter(({ index }) => index < from);
    this.log.truncate(from);
  }

  takeSnapshot(index: number): void {
    const entry = this.entries.find((held) => held.index === index);
    if (!entry || index <= (this.snapshot?.meta.index ?? 0)) return;
    this.snapshot = snapshotAt(index, entry.term);
    this.log.takeSnapshot(this.snapshot);
  }

  compact(through: number): void {
    if (through > (this.snapshot?.meta.index ?? 0) || through < this.firstIndex || through > this.lastIndex) return;
    this.entries = this.entries.filter(({ index }) => index > through);
    this.firstIndex = through + 1;
    this.log.compact(through);
  }

  install(index: number, term: number): void {
    if (index <= (this.snapshot?.meta.index ?? 0)) return;
    const isHeld = this.entries.some((entry) => entry.index === index && entry.term === term);
    this.snapshot = snapshotAt(index, term);
    if (!isHeld) {
      this.entries = [];
      this.firstIndex = index + 1;
      this.term = Math.max(this.term, term);
    }
    expect(this.log.installSnapshot(this.snapshot)).toBe(isHeld);
  }

  write(): void {
    this.store.write(this.log.takeChanges());
    this.log.persisted();
    expect(this.log.hasChanges).toBe(false);
    const stored = this.store.load();
    expect(stored.entries.map(({ index, term, size }) => ({ index, term, size }))).toEqual(this.#summaries());
    expect(stored.snapshot).toEqual(this.snapshot?.meta ?? null);
    expect(this.log.persistedIndex).toBe(this.lastIndex);
  }

  /** What a restart finds is what was last written. */
  reopen(): void {
    this.write();
    this.machine = new ListMachine();
    this.log = this.#open();
  }

  compare(): void {
    const { log } = this;
    expect([log.firstIndex, log.lastIndex]).toEqual([this.firstIndex, this.lastIndex]);
    const indexes = [...this.machine.known.values()].map(({ index, term, size }) => ({ index, term, size }));
    expect(indexes).toEqual(this.#summaries());
    const base = this.snapshot?.meta;
    for (let index = 0; index <= this.lastIndex + 1; index++) {
      const held = this.entries.find((entry) => entry.index === index)?.term ?? null;
      const expected = index === 0 ? 0 : (held ?? (base?.index === index ? base.term : null));
      expect(log.termAt(index), `term at ${index}`).toBe(expected);
    }
    expect(log.readSnapshot()).toEqual(this.snapshot);
    const bytes = (from: number): number =>
      this.entries.filter(({ index }) => index >= from).reduce((sum, { data }) => sum + data!.length, 0);
    expect(log.bytesFrom(this.firstIndex)).toBe(bytes(0));
    expect(log.bytesSinceSnapshot).toBe(bytes((base?.index ?? 0) + 1));
  }

  slice(from: number, entriesMax: number, bytesMax: number): void {
    if (from < this.firstIndex || from > this.lastIndex) return;
    const found = this.log.slice(from, entriesMax, bytesMax);
    const size = found.reduce((sum, { data }) => sum + data!.length, 0);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(this.entries.slice(from - this.firstIndex, from - this.firstIndex + found.length));
    expect(found.length).toBeLessThanOrEqual(entriesMax);
    if (found.length > 1) expect(size).toBeLessThanOrEqual(bytesMax);
  }

  #summaries() {
    return this.entries.map(({ index, term, data }) => ({ index, term, size: data!.length }));
  }

  #open(): RaftLog {
    return new RaftLog(this.store, this.machine, this.store.load(), CACHE_BYTES);
  }
}

const index = fc.nat(40);
const operation: fc.Arbitrary<(pair: Pair) => void> = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.nat(300), { maxLength: 6 }).map((sizes) => (pair: Pair) => pair.append(sizes)) },
  { weight: 2, arbitrary: index.map((from) => (pair: Pair) => pair.truncate(from)) },
  { weight: 1, arbitrary: fc.constant((pair: Pair) => void pair.term++) },
  { weight: 2, arbitrary: index.map((at) => (pair: Pair) => pair.takeSnapshot(at)) },
  { weight: 2, arbitrary: index.map((through) => (pair: Pair) => pair.compact(through)) },
  {
    weight: 2,
    arbitrary: fc.tuple(index, fc.integer({ min: 1, max: 4 })).map(
      ([at, term]) =>
        (pair: Pair) =>
          pair.install(at, term),
    ),
  },
  { weight: 4, arbitrary: fc.constant((pair: Pair) => pair.write()) },
  { weight: 1, arbitrary: fc.constant((pair: Pair) => pair.reopen()) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(index, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 700 }))
      .map((args) => (pair: Pair) => pair.slice(...args)),
  },
);

describe('the log', () => {
  it('is the obvious one, in the store and in the state machine too, after any operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60, size: 'max' }), (operations) => {
        const pair = new Pair();
        for (const operate of operations) {
          operate(pair);
          pair.compare();
        }
        pair.write();
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('a snapshot that replaces everything leaves no entry in the store, whatever was waiting to be compacted or cut off', () => {
    const stages: ((pair: Pair) => void)[] = [
      (pair) => pair.compact(2),
      (pair) => pair.truncate(4),
      (pair) => pair.install(7, 1),
    ];
    for (const stage of stages) {
      const pair = new Pair();
      pair.append([1, 2, 3, 4, 5]);
      pair.takeSnapshot(2);
      pair.write();
      stage(pair);
      pair.install(9, 1);
      pair.append([1]);
      pair.compare();
      pair.write();
    }
  });

  it('a large entry goes alone, whether it comes from memory or from the store', () => {
    for (const cacheBytes of [1, 1_000_000]) {
      const store = new MemoryStore();
      const log = new RaftLog(store, new ListMachine(), store.load(), cacheBytes);
      log.append([1, 2, 3].map((index) => commandEntry(index, 1, 'x'.repeat(index === 2 ? 500 : 60))));
      store.write(log.takeChanges());
      log.persisted();
      expect(log.slice(1, 64, 100).map(({ index }) => index)).toEqual([1]);
      expect(log.slice(2, 64, 100).map(({ index }) => index)).toEqual([2]);
    }
  });

  it('what is durable leaves memory once the bound is reached, and is read from the store', () => {
    const store = new MemoryStore();
    const log = new RaftLog(store, new ListMachine(), store.load(), CACHE_BYTES);
    const reads = vi.spyOn(store, 'read');
    for (let index = 1; index <= 20; index++) {
      log.append([commandEntry(index, 1, 'x'.repeat(CACHE_BYTES / 10))]);
      store.write(log.takeChanges());
      log.persisted();
    }
    expect(log.slice(20, 1, 1000)).toHaveLength(1);
    expect(reads).not.toHaveBeenCalled();
    expect(log.slice(1, 20, 100 * CACHE_BYTES).map(({ index }) => index)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const [from, to] = reads.mock.calls[0]!;
    expect(from).toBe(1);
    // An entry costs more than its data: fewer than ten of these fit.
    expect(to).toBeGreaterThanOrEqual(10);
  });

  it('entries not yet durable stay in memory whatever the bound', () => {
    const store = new MemoryStore();
    const log = new RaftLog(store, new ListMachine(), store.load(), 1);
    log.append([1, 2, 3].map((index) => commandEntry(index, 1)));
    expect(log.persistedIndex).toBe(0);
    expect(log.slice(1, 64, 1000)).toHaveLength(3);
  });
});
