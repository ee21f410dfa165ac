import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { EntrySummary, LogStore, StoredEntry, StoredState, WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState, Snapshot } from '#conductor/core/raft/types';
import { openStore, type SqliteStore } from './store.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt, hardStateAt, snapshotAt } from './testing/values.ts';

/** The contract of LogStore in the plainest form: an array. */
class ModelStore implements LogStore {
  entries: StoredEntry[] = [];
  #hardState: HardState | null = null;
  snapshot: Snapshot | null = null;

  load(): StoredState {
    const entries = this.entries.map(({ entry: { index, term, type, data }, summary }): EntrySummary => {
      return { index, term, type, size: data?.length ?? 0, summary };
    });
    return { hardState: this.#hardState, snapshot: this.snapshot?.meta ?? null, entries };
  }

  write(batch: WriteBatch): void {
    const { truncateFrom = Infinity, entries = [], compactThrough = 0 } = batch;
    this.entries = [...this.entries.filter((one) => one.entry.index < truncateFrom), ...entries].filter(
      (one) => one.entry.index > compactThrough,
    );
    this.snapshot = batch.snapshot ?? this.snapshot;
    this.#hardState = batch.hardState ?? this.#hardState;
  }

  read(from: number, to: number, bytesMax: number): Entry[] {
    let bytes = 0;
    const read: Entry[] = [];
    for (const { entry } of this.entries) {
      if (entry.index < from || entry.index > to || (read.length > 0 && bytes >= bytesMax)) continue;
      read.push(entry);
      bytes += (entry.data?.length ?? 0) + (entry.extensions?.length ?? 0);
    }
    return read;
  }

  readSnapshot(): Uint8Array | null {
    return this.snapshot?.data ?? null;
  }

  close(): void {
    this.entries = [];
  }
}

type Step =
  | { readonly kind: 'append'; readonly count: number; readonly bytes: number; readonly isOdd: boolean }
  | { readonly kind: 'conflict'; readonly back: number; readonly count: number }
  | { readonly kind: 'snapshot'; readonly keep: number }
  | { readonly kind: 'install'; readonly ahead: number; readonly doesFit: boolean; readonly count: number }
  | { readonly kind: 'vote' }
  | { readonly kind: 'maintain' }
  | { readonly kind: 'reopen' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        count: fc.nat(6),
        bytes: fc.oneof(fc.nat(300), fc.nat(40_000)),
        isOdd: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('conflict' as const), back: fc.nat(8), count: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('snapshot' as const), keep: fc.nat(8) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('install' as const),
        ahead: fc.nat(10),
        doesFit: fc.boolean(),
        count: fc.nat(2),
      }),
    },
    fc.constant({ kind: 'vote' as const }),
    fc.constant({ kind: 'maintain' as const }),
    fc.constant({ kind: 'reopen' as const }),
  ),
  { minLength: 1, maxLength: 25 },
);

/** An entry with the rare shapes: no data, empty data, extensions, other types, no summary. */
function oddEntry(index: number, term: number): StoredEntry {
  const { entry } = entryAt(index, term);
  const shapes: readonly StoredEntry[] = [
    { entry: { ...entry, type: 1, data: null }, summary: null },
    { entry: { ...entry, type: 4, data: new Uint8Array(0) }, summary: new Uint8Array(0) },
    { entry: { ...entry, type: 255, extensions: Uint8Array.of(1, 2), appendedAt: new Uint8Array(16) }, summary: null },
    { entry: { ...entry, type: 5, extensions: new Uint8Array(0) }, summary: new Uint8Array(256) },
  ];
  return shapes[index % shapes.length] as StoredEntry;
}

/** The batch a core would write for the step, given what is stored; terms never fall. */
function batchFor(step: Step, model: ModelStore, term: number): WriteBatch | null {
  const first = model.entries[0]?.entry.index;
  const last = model.entries.at(-1)?.entry.index ?? model.snapshot?.meta.index ?? 0;
  const make = (from: number, count: number, bytes = 50): StoredEntry[] =>
    Array.from({ length: count }, (_, at) => entryAt(from + at, term, bytes));
  switch (step.kind) {
    case 'append': {
      const odd = Array.from({ length: step.count }, (_, at) => oddEntry(last + 1 + at, term));
      return { entries: step.isOdd ? odd : make(last + 1, step.count, step.bytes) };
    }
    case 'conflict': {
      const from = Math.max(last + 1 - step.back, (model.snapshot?.meta.index ?? 0) + 1);
      return { truncateFrom: from, entries: make(from, step.count) };
    }
    case 'snapshot': {
      if (first === undefined) return null;
      const boundary = model.entries.at(-1)?.entry.term ?? term;
      return { snapshot: snapshotAt(last, boundary), compactThrough: Math.max(0, last - step.keep) };
    }
    case 'install': {
      const index = Math.max(1, last - 3 + step.ahead, model.snapshot?.meta.index ?? 0);
      const entries = make(index + 1, step.count);
      const isBeyond = index >= last;
      if (step.doesFit && isBeyond) return { entries: [], compactThrough: index, snapshot: snapshotAt(index, term) };
      return { truncateFrom: 0, entries, snapshot: snapshotAt(index, term) };
    }
    case 'vote':
      return {
        hardState: {
          ...hardStateAt(term),
          votedFor: term % 2 === 0 ? null : { id: null, address: `h:${term}` },
          recovering: term % 3 === 0,
        },
      };
    default:
      return null;
  }
}

/** What a read of the whole log returns, as the model knows its extent; data as length and hash, which compare faster. */
function readAll(store: LogStore, model: ModelStore, bytesMax: number): unknown[] {
  const from = model.entries[0]?.entry.index;
  const to = model.entries.at(-1)?.entry.index;
  if (from === undefined || to === undefined) return [];
  return store.read(from, to, bytesMax).map((entry) => ({
    ...entry,
    data: entry.data === null ? null : `${entry.data.length} ${Bun.hash(entry.data)}`,
  }));
}

function expectSame(actual: StoredState, expected: StoredState): void {
  expect(actual).toEqual(expected);
}

describe('SqliteStore', () => {
  test('any sequence of batches reads back as from an array, also after reopening', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const directory = temporaryDirectory();
        const model = new ModelStore();
        let store: SqliteStore = openStore({ directory, serverId: 'n1' });
        expect(store.load()).toEqual(model.load());
        let term = 1;
        for (const step of [...sequence, { kind: 'reopen' as const }]) {
          term += 1;
          const batch = batchFor(step, model, term);
          if (batch !== null) {
            const whole: WriteBatch = { hardState: hardStateAt(term), ...batch };
            model.write(whole);
            store.write(whole);
          }
          if (step.kind === 'maintain') while (store.maintain());
          if (step.kind === 'reopen') {
            store.close();
            store = openStore({ directory, serverId: 'n1' });
            expectSame(store.load(), model.load());
          }
          for (const bytesMax of [1, 1000, Infinity])
            expect(readAll(store, model, bytesMax)).toEqual(readAll(model, model, bytesMax));
          expect(store.readSnapshot()).toEqual(model.readSnapshot());
        }
        expect(store.verifyNext(Infinity)).toEqual({ done: true });
        store.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
