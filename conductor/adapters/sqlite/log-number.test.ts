import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Database } from 'bun:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoredState } from '#conductor/core/ports';
import { openDatabase, pageBytes, readValue } from './database.ts';
import { openStore, type SqliteStore } from './store.ts';
import { StoreError } from './store-error.ts';
import { crashServerId, crashWriterPath } from './testing/crash-writer.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt, hardStateAt } from './testing/values.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

const serverId = 'n1';
/** Synced before any frame that needs it. */
const walHeaderBytes = 32;
const databaseIn = (directory: string): string => join(directory, 'conductor.db');
const logIn = (directory: string): string => join(directory, 'conductor.db-wal');

function flipBit(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

/** What a process that is killed now leaves. */
function imageOf(directory: string): string {
  const image = temporaryDirectory();
  cpSync(directory, image, { recursive: true });
  return image;
}

/** What a store holds, opened and closed as by a start; the error it is refused with. */
function stateIn(directory: string, id = serverId): StoredState | StoreError {
  try {
    using store = openStore({ directory, serverId: id });
    return store.load();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

function termIn(directory: string, id = serverId): number | StoreError {
  const state = stateIn(directory, id);
  return state instanceof StoreError ? state : (state.hardState?.term ?? 0);
}

/** As a release before this one finds it. */
function formatIn(directory: string): unknown {
  using database = new Database(databaseIn(directory), { readonly: true });
  return readValue(database, 'PRAGMA user_version');
}

const refused = (sentence: RegExp) =>
  expect.objectContaining({ code: 'corrupt', message: expect.stringMatching(sentence) });
const lost = refused(/is gone, empty or without its header.*could vote twice/);
const strange = refused(/of different moments/);

/** Of a program with `databases`. */
const numbersStand = `for (const database of databases) for (const table of ['even_log', 'odd_log']) database.run(
  'CREATE TEMP TRIGGER ' + table + ' BEFORE UPDATE ON main.' + table + ' BEGIN SELECT RAISE(ABORT, 1); END')`;

/** A large entry with each, so that logs come and go. */
function writeTerm(store: SqliteStore, term: number): void {
  store.write({ hardState: hardStateAt(term), entries: [entryAt(term, term, 600_000)] });
  store.maintain();
}

/** What processes left that were killed after each of the terms 1..`term`. */
function imagesThrough(term: number): string[] {
  const directory = temporaryDirectory();
  using store = openStore({ directory, serverId });
  store.load();
  return Array.from({ length: term }, (_, before) => {
    writeTerm(store, before + 1);
    return imageOf(directory);
  });
}

test('a log too old to be read with the database that has grown since is refused at every start, and changes neither file', () => {
  const directory = temporaryDirectory();
  const path = databaseIn(directory);
  const database = openDatabase({ path, serverId });
  const log = new WriteAheadLog(database, logIn(directory));
  const insert = (id: number, bytes: number): void => {
    database.run('BEGIN IMMEDIATE');
    log.begin();
    database.run('INSERT INTO body (id, appended_at, data) VALUES (?, ?, ?)', [
      id,
      new Uint8Array(8),
      new Uint8Array(bytes),
    ]);
    database.run('COMMIT');
    log.committed();
  };
  log.need();
  insert(1, 100);
  log.copyBack();
  // Takes no page, so that this log says nothing of how long the database is.
  insert(2, 100);
  const old = readFileSync(logIn(directory));
  log.copyBack();
  insert(3, 300_000);
  log.end();
  log[Symbol.dispose]();
  database.close();
  const whole = readFileSync(path);
  writeFileSync(logIn(directory), old);
  for (let start = 1; start <= 2; start += 1) {
    expect(termIn(directory)).toEqual(expect.objectContaining({ code: 'corrupt' }));
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(readFileSync(logIn(directory)).equals(old)).toBe(true);
  }
  rmSync(logIn(directory));
  expect(termIn(directory)).toBe(0);
});

describe('a store whose write-ahead log was lost', () => {
  test.each([
    ['removed', (path: string) => rmSync(path)],
    ['emptied', (path: string) => truncateSync(path, 0)],
    ['filled with zeros', (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ['given other salts', (path: string) => flipBit(path, 20)],
    ['given another mark', (path: string) => flipBit(path, 3)],
  ])(
    'is refused at every start where the log of a killed process is %s, and opens whole when it is back',
    async (_how, lose) => {
      const directory = temporaryDirectory();
      const writer = spawn(process.execPath, [crashWriterPath, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      writer.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.split('\n').length > 20) writer.kill('SIGKILL');
      });
      await once(writer, 'close');
      const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1)?.split(' ')[0]);
      const log = readFileSync(logIn(directory));
      lose(logIn(directory));
      for (let start = 1; start <= 3; start += 1) expect(termIn(directory, crashServerId)).toEqual(lost);
      writeFileSync(logIn(directory), log);
      expect(termIn(directory, crashServerId)).toBeGreaterThanOrEqual(acknowledged);
    },
  );

  test('is refused as a copy of the database alone, from its first write to its clean end', () => {
    const directory = temporaryDirectory();
    const store = openStore({ directory, serverId });
    const copied = (): number | StoreError => {
      const copy = temporaryDirectory();
      copyFileSync(databaseIn(directory), databaseIn(copy));
      return termIn(copy);
    };
    store.load();
    expect(formatIn(imageOf(directory))).toBe(2);
    expect(copied(), 'nothing is missing before the first write').toBe(0);
    for (let term = 1; term <= 5; term += 1) {
      writeTerm(store, term);
      expect(copied()).toEqual(lost);
    }
    store.close();
    expect(existsSync(logIn(directory))).toBe(false);
    expect(copied()).toBe(5);
  });

  test.each([
    ['exits', 'process.exit(0)'],
    ['exits while no number can be written', `${numbersStand}; process.exit(0)`],
    ['throws', 'throw new Error("on purpose")'],
    ['rejects', 'setTimeout(() => Promise.reject(new Error("on purpose")))'],
  ])('is as if killed where a process that has two open %s', (_how, end) => {
    const directories = [temporaryDirectory(), temporaryDirectory()];
    const program = `import { openDatabase } from './database.ts'; import { SqliteStore } from './store.ts';
      import { hardStateAt } from './testing/values.ts'; import { cpSync } from 'node:fs';
      const databases = ${JSON.stringify(directories)}.map((directory) => {
        const options = { directory, path: directory + '/conductor.db', serverId: '${serverId}' };
        const database = openDatabase(options);
        const store = new SqliteStore(database, options.path, options);
        store.load();
        store.write({ hardState: hardStateAt(7) });
        for (const file of ['conductor.db', 'conductor.db-wal'])
          cpSync(directory + '/' + file, directory + '/image/' + file);
        return database;
      });
      ${end};`;
    Bun.spawnSync([process.execPath, '-e', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    for (const directory of directories) {
      expectFiles(directory, join(directory, 'image'));
      expect(termIn(directory)).toBe(7);
    }
  });

  test('is as it was when it is refused for another reason', () => {
    const image = imagesThrough(3).at(-1) ?? '';
    const before = imageOf(image);
    expect(termIn(image, 'n2')).toEqual(expect.objectContaining({ code: 'identity' }));
    expectFiles(image, before);
    expect(termIn(image)).toBe(3);
  });

  test('gets its first number from this release, if an earlier one wrote it, which then refuses it', () => {
    const image = imagesThrough(3).at(-1) ?? '';
    expect(termIn(image)).toBe(3);
    const database = new Database(databaseIn(image));
    database.run('DROP TABLE even_log; DROP TABLE odd_log; PRAGMA user_version = 1');
    database.close();
    expect(termIn(image)).toBe(3);
    expect(formatIn(image)).toBe(2);
    const store = openStore({ directory: image, serverId });
    store.load();
    writeTerm(store, 4);
    const after = imageOf(image);
    store.close();
    rmSync(logIn(after));
    expect(termIn(after)).toEqual(lost);
    expect(termIn(image)).toBe(4);
  });
});

function mixtureOf(databaseOf: string, logOf: string): string {
  const mixed = temporaryDirectory();
  copyFileSync(databaseIn(databaseOf), databaseIn(mixed));
  copyFileSync(logIn(logOf), logIn(mixed));
  return mixed;
}

function expectFiles(directory: string, databaseOf: string, logOf = databaseOf): void {
  const { database, log } = filesIn(directory);
  expect(database.equals(filesIn(databaseOf).database), 'the database is unchanged').toBe(true);
  expect(log.equals(filesIn(logOf).log), 'the log is unchanged').toBe(true);
}

describe('a write-ahead log of another moment', () => {
  test.each([
    ['an old log beside a newer database', 2, 9],
    ['an old database beside a newer log', 9, 2],
  ])(
    '%s is refused at every start, changes neither file, and the two that belong together open',
    (_what, logAt, databaseAt) => {
      const images = imagesThrough(10);
      const [logOf, databaseOf] = [images[logAt] ?? '', images[databaseAt] ?? ''];
      const mixed = mixtureOf(databaseOf, logOf);
      // It is no other server's before it is known whose the log is.
      for (const id of [serverId, serverId, 'n2']) {
        expect(termIn(mixed, id)).toEqual(strange);
        expectFiles(mixed, databaseOf, logOf);
        expect(readdirSync(mixed)).toHaveLength(2);
      }
      copyFileSync(logIn(databaseOf), logIn(mixed));
      expect(termIn(mixed)).toBe(databaseAt + 1);
    },
  );

  test('and of another store is refused, too, which has written as much', () => {
    const [other, own] = [imagesThrough(3).at(-1) ?? '', imagesThrough(3).at(-1) ?? ''];
    const mixed = mixtureOf(own, other);
    expect(termIn(mixed)).toEqual(strange);
    expectFiles(mixed, own, other);
  });
});

/** A database and its log, which is empty where there is none. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

function filesIn(directory: string): Files {
  const [database, log] = [databaseIn(directory), logIn(directory)].map((path) =>
    existsSync(path) ? readFileSync(path) : Buffer.alloc(0),
  );
  return { database: database ?? Buffer.alloc(0), log: log ?? Buffer.alloc(0) };
}

/** The term in a store of these files; its log must have one entry for each. */
function termOf({ database, log }: Files): number | StoreError {
  const directory = temporaryDirectory();
  writeFileSync(databaseIn(directory), database);
  if (log.length > 0) writeFileSync(logIn(directory), log);
  const state = stateIn(directory);
  rmSync(directory, { recursive: true });
  if (state instanceof StoreError) return state;
  expect(state.entries.at(-1)?.index ?? 0).toBe(state.hardState?.term ?? 0);
  return state.hardState?.term ?? 0;
}

/** `after` from `start` on with every third block only, the others as before: what a power cut may leave of a write. */
function partOf(before: Buffer, after: Buffer, part: number, blockBytes: number, start = 0): Buffer {
  const mixed = Buffer.from(after);
  for (let at = start; at < before.length; at += blockBytes)
    if (((at - start) / blockBytes + part) % 3 > 0) before.copy(mixed, at, at, at + blockBytes);
  return mixed;
}

/** Calls `look` before and after everything that is asked of SQLite. */
function lookAround(look: () => void): void {
  type Owner = Record<string, (...values: unknown[]) => unknown>;
  const around = (owner: Owner, name: string): void => {
    const original = owner[name];
    owner[name] = function (this: unknown, ...values: unknown[]): unknown {
      look();
      const result = original?.apply(this, values);
      look();
      return result;
    };
  };
  const { prepare, run, close } = Database.prototype;
  onTestFinished(() => void Object.assign(Database.prototype, { prepare, run, close }));
  const database = Database.prototype as unknown as Owner;
  database['prepare'] = function (this: Database, sql: string): unknown {
    const statement = prepare.call(this, sql) as unknown as Owner;
    for (const name of ['run', 'values']) around(statement, name);
    return statement;
  } as Owner[string];
  for (const name of ['run', 'close']) around(database, name);
}

test('a crash before or after any statement, or within a write, leaves what was acknowledged; and that or a refusal without the log', () => {
  let directory = temporaryDirectory();
  let acknowledged = 0;
  let last: Files | null = null;
  let isLooking = false;
  let refusals = 0;

  const judge = (files: Files): void => {
    const sound = [acknowledged, acknowledged + 1];
    expect(sound).toContain(termOf(files));
    const without = termOf({ database: files.database, log: Buffer.alloc(0) });
    if (without instanceof StoreError) refusals += 1;
    else expect(sound).toContain(without);
  };
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    const now = filesIn(directory);
    if (now.database.length > 0 && last !== null && last.database.length > 0) {
      const before = last;
      const isDatabaseSame = now.database.equals(before.database);
      const isLogSame = now.log.equals(before.log);
      for (const part of [0, 1, 2]) {
        if (!isDatabaseSame)
          judge({ log: before.log, database: partOf(before.database, now.database, part, pageBytes) });
        if (!isLogSame && now.log.length > 0)
          judge({ database: before.database, log: partOf(before.log, now.log, part, 4096, walHeaderBytes) });
      }
      if (!isDatabaseSame || !isLogSame) judge(now);
    }
    last = now;
    isLooking = false;
  };
  lookAround(look);

  const live = (terms: number, end: 'closed' | 'killed' | 'torn'): void => {
    const store = openStore({ directory, serverId });
    store.load();
    for (let count = 0; count < terms; count += 1) {
      writeTerm(store, acknowledged + 1);
      acknowledged += 1;
    }
    if (end !== 'closed') directory = imageOf(directory);
    last = null;
    store.close();
    if (end !== 'torn') return;
    // As if the first write of this log had been cut short, and never acknowledged.
    const log = readFileSync(logIn(directory));
    log.fill(1, 1000, 2000);
    writeFileSync(logIn(directory), log);
    acknowledged -= 1;
  };
  live(4, 'killed');
  live(0, 'killed');
  live(3, 'closed');
  live(0, 'closed');
  live(1, 'killed');
  live(1, 'torn');
  live(2, 'closed');
  expect(acknowledged).toBe(10);
  expect(refusals).toBeGreaterThan(50);
}, 60_000);
