import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from 'bun:sqlite';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoredState } from '#conductor/core/ports';
import type { Entry } from '#conductor/core/raft/types';
import { openStore, type SqliteStore } from './store.ts';
import { StoreError } from './store-error.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt, hardStateAt, snapshotAt } from './testing/values.ts';

const walHeaderBytes = 32;

interface Content {
  readonly state: StoredState;
  readonly entries: readonly Entry[];
  readonly snapshot: Uint8Array | null;
}

/** Everything a store holds, read and checked to the last byte; throws StoreError. */
function readAll(directory: string): Content {
  const store = openStore({ directory, serverId: 'n1' });
  try {
    const state = store.load();
    const verification = store.verifyNext(Infinity);
    if (verification.error !== undefined) throw verification.error;
    const first = state.entries[0]?.index;
    const last = state.entries.at(-1)?.index;
    const entries = first === undefined || last === undefined ? [] : store.read(first, last, Infinity);
    return { state, entries, snapshot: store.readSnapshot() };
  } finally {
    store.close();
  }
}

/** A store with small and large entries, a snapshot and some deleted rows, closed. */
function fill(directory: string): void {
  const store = openStore({ directory, serverId: 'n1' });
  store.load();
  store.write({ hardState: hardStateAt(2) });
  for (let index = 1; index <= 120; index += 2) {
    store.write({
      entries: [entryAt(index, 1, 200), entryAt(index + 1, 2, index % 5 === 0 ? 30_000 : 900)].map((one, at) => ({
        ...one,
        entry: { ...one.entry, term: index + at < 60 ? 1 : 2 },
      })),
    });
  }
  store.write({ snapshot: snapshotAt(40, 1, 5000), compactThrough: 20 });
  while (store.maintain());
  store.close();
}

/** What the action returned, or the StoreError it threw; anything else it throws goes on. */
function outcomeOf<T>(action: () => T): T | StoreError {
  try {
    return action();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

describe('a damaged file', () => {
  test('a flipped bit anywhere in the database is found or harmless, never believed', () => {
    const directory = temporaryDirectory();
    fill(directory);
    const path = join(directory, 'conductor.db');
    const sound = readFileSync(path);
    const expected = readAll(directory);
    let found = 0;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(7), (share, bit) => {
        const damaged = new Uint8Array(sound);
        const at = Math.floor(share * damaged.length);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        writeFileSync(path, damaged);
        const outcome = outcomeOf(() => readAll(directory));
        if (outcome instanceof StoreError) found += 1;
        expect(outcome instanceof StoreError ? expected : outcome).toEqual(expected);
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(30);
  }, 60_000);

  test('damage to the tail is found at open, elsewhere in the background or on read, with the index and what to do', () => {
    const spoil = (index: number): SqliteStore => {
      const directory = temporaryDirectory();
      const store = openStore({ directory, serverId: 'n1' });
      store.load();
      for (let next = 1; next <= 200; next += 1)
        store.write({ hardState: hardStateAt(1), entries: [entryAt(next, 1, 300)] });
      store.close();
      const path = join(directory, 'conductor.db');
      const bytes = readFileSync(path);
      const data = entryAt(index, 1, 300).entry.data ?? '';
      // Page splits leave stale copies in unused space: all of them are changed.
      for (let at = bytes.indexOf(data); at >= 0; at = bytes.indexOf(data))
        bytes[at + 150] = (bytes[at + 150] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      const damaged = openStore({ directory, serverId: 'n1' });
      onTestFinished(() => damaged.close());
      return damaged;
    };
    const corrupt = (index: number) =>
      expect.objectContaining({
        code: 'corrupt',
        message: expect.stringMatching(new RegExp(`entry ${index} .*Restore this server from its peers`)),
      });

    expect(() => spoil(190).load()).toThrow(corrupt(190));

    const store = spoil(20);
    expect(store.load().entries).toHaveLength(200);
    expect(store.read(1, 19, Infinity)).toHaveLength(19);
    expect(() => store.read(19, 21, Infinity)).toThrow(corrupt(20));
    expect(store.verifyNext(3000)).toEqual({ done: false });
    expect(store.verifyNext(1_000_000)).toEqual({ done: false, error: corrupt(20), damagedIndex: 20 });
    expect(store.verifyNext(Infinity), 'the rest is checked all the same').toEqual({ done: true });
  });

  const rows: readonly (readonly [row: string, sql: string, sentence: RegExp])[] = [
    ['the term', 'UPDATE state SET term = 9', /term and vote .* do not match their checksum/],
    ['the vote', "UPDATE state SET voted_address = 'elsewhere:1'", /term and vote .* do not match their checksum/],
    ['the flag of rule 9', 'UPDATE state SET recovering = 1', /term and vote .* do not match their checksum/],
    ['where the log begins', 'UPDATE state SET first_index = 22', /term and vote .* do not match their checksum/],
    ['the whole state row', 'DELETE FROM state', /no term and vote/],
    [
      'the snapshot',
      'UPDATE snapshot SET data = zeroblob(5000)',
      /snapshot at index 40 .* does not match its checksum/,
    ],
    ['the term of an entry', 'UPDATE entry SET term = 2 WHERE id = 59', /entry 59 does not match its checksum/],
    ['an entry', 'DELETE FROM entry WHERE id = 30', /entry 30 is missing/],
    ['the data of an entry', 'DELETE FROM body WHERE id = 100', /entry 100 .* is missing/],
  ];

  test.each(rows)('%s changed or lost in an intact file is found at open', (_row, sql, sentence) => {
    const directory = temporaryDirectory();
    fill(directory);
    const database = new Database(join(directory, 'conductor.db'));
    database.run(sql);
    database.close();
    const expected = expect.objectContaining({ code: 'corrupt', message: expect.stringMatching(sentence) });
    expect(() => readAll(directory)).toThrow(expected);
  });

  test('a write-ahead log cut or changed anywhere is a store after its last whole batch, or refused where more than a torn commit is missing', () => {
    const origin = temporaryDirectory();
    const store = openStore({ directory: origin, serverId: 'n1' });
    store.load();
    const path = join(origin, 'conductor.db');
    const states: Content[] = [];
    const walSizes: number[] = [];
    for (let batch = 1; batch <= 12; batch += 1) {
      const first = batch * 3 - 2;
      store.write({
        hardState: hardStateAt(batch),
        entries: [0, 1, 2].map((at) => entryAt(first + at, batch, batch % 4 === 0 ? 20_000 : 100)),
      });
      walSizes.push(statSync(`${path}-wal`).size);
      const all = Array.from({ length: first + 2 }, (_, at) =>
        entryAt(at + 1, Math.floor(at / 3) + 1, (Math.floor(at / 3) + 1) % 4 === 0 ? 20_000 : 100),
      );
      const summaries = all.map(({ entry, summary }) => ({
        index: entry.index,
        term: entry.term,
        type: 0,
        size: entry.data?.length ?? 0,
        summary,
      }));
      states.push({
        state: { hardState: hardStateAt(batch), snapshot: null, entries: summaries },
        entries: all.map((one) => one.entry),
        snapshot: null,
      });
    }
    const database = readFileSync(path);
    const wal = readFileSync(`${path}-wal`);
    store.close();
    const empty: Content = { state: { hardState: null, snapshot: null, entries: [] }, entries: [], snapshot: null };

    fc.assert(
      fc.property(fc.nat(wal.length), fc.boolean(), (at, isCut) => {
        const directory = temporaryDirectory();
        const damaged = new Uint8Array(isCut ? wal.subarray(0, at) : wal);
        if (!isCut && at < damaged.length) damaged[at] = (damaged[at] ?? 0) ^ 0x10;
        writeFileSync(join(directory, 'conductor.db'), database);
        writeFileSync(join(directory, 'conductor.db-wal'), damaged);
        const whole = walSizes.filter((size) => size <= at).length;
        const expected = at < wal.length ? (states[whole - 1] ?? empty) : states.at(-1);
        const outcome = outcomeOf(() => readAll(directory));
        // Also by the second start: the first one must not have taken away what it refused.
        if (outcome instanceof StoreError) expect(outcomeOf(() => readAll(directory))).toEqual(outcome);
        // Without its header it is as good as lost.
        const isLost = at < walHeaderBytes;
        // A torn last commit looks like damage to it; damage to one with two more behind it looks like nothing else.
        const mayBeTorn = isCut || states.length - whole <= 2;
        expect(outcome instanceof StoreError && (isLost || !isCut) ? outcome.code : outcome).toEqual(
          outcome instanceof StoreError || isLost || !mayBeTorn ? 'corrupt' : expected,
        );
      }),
      { numRuns: 80 },
    );
  }, 60_000);
});
