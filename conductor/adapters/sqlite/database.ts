/**
 * Opens the database file of one server: exclusive lock, WAL with synchronous=FULL read back,
 * schema, format version and identity. The lock is SQLite's own fcntl lock, taken at open and held
 * until close (locking_mode=EXCLUSIVE), so the kernel releases it when the process dies in any way
 * and no stale file can block a start.
 *
 * Measured (bench/micro/store.ts, ext4, fdatasync 0.15 ms): against pages of 4 KiB, 16 KiB cost
 * nothing at 256 B and make commits of 100 kB and their checkpoint 5 to 40 % cheaper; 32 KiB gain
 * little more and double what a small commit writes.
 */
import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { refuseLink, syncDirectory } from './directory.ts';
import { keepLog, leaveUnchanged } from './log-number.ts';
import { StoreError, restoreAdvice, storeErrorFrom } from './store-error.ts';
import { checkLog, recoverWal } from './write-ahead-log.ts';

/** Format of the tables below; raised whenever an older release could not read them. */
export const formatVersion = 2;
/** Of stores whose logs have no numbers yet, see log-number.ts; they are raised when they are opened. */
const unnumberedFormat = 1;
/** Bytes of a database page. */
export const pageBytes = 16_384;

/** "Cndr" as SQLite's application_id: tells our file from any other database. */
export const applicationId = 0x436e6472;
/** Page cache. The working set is inner pages and the tail of the log; entry data passes through. */
const cacheKiB = 4096;
/** How long another process may take to let go of the lock, as in a restart; within the second that an operator waits. */
const lockTimeoutMs = 500;
const lockRetryMs = 20;

/**
 * Data lies in a table of its own: reading 10 240 heads beside 100 kB each takes 4 ms (20 to 30 from a
 * cold disk) instead of 42 (120 to 230) with the data last in one row.
 */
const schema = `
  CREATE TABLE identity (id INTEGER PRIMARY KEY CHECK (id = 1), server_id TEXT NOT NULL) STRICT;
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1), first_index INTEGER NOT NULL,
    term INTEGER NOT NULL, voted_term INTEGER NOT NULL, voted_id TEXT, voted_address TEXT,
    recovering INTEGER NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY, term INTEGER NOT NULL, type INTEGER NOT NULL, size INTEGER NOT NULL,
    summary BLOB, checksum INTEGER NOT NULL, body_checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE body (id INTEGER PRIMARY KEY, appended_at BLOB NOT NULL, extensions BLOB, data BLOB) STRICT;
  CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY CHECK (id = 1), last_index INTEGER NOT NULL, term INTEGER NOT NULL,
    size INTEGER NOT NULL, checksum INTEGER NOT NULL, configuration TEXT NOT NULL, data BLOB NOT NULL
  ) STRICT;`;

/** What openDatabase needs. */
export interface DatabaseOptions {
  readonly path: string;
  readonly serverId: string;
  /** Bound on the database file, rounded down to pages; at the bound a write fails with 'disk-full'. */
  readonly bytesMax?: number;
}

/** Opens or creates the file; throws StoreError and leaves nothing open on any failure. */
export function openDatabase(options: DatabaseOptions): Database {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const outcome = attempt(options);
    if (outcome instanceof Database) return outcome;
    if (outcome.code !== 'locked' || performance.now() >= deadline) throw outcome;
    // The random part lets two processes that create the same file at once get out of each other's way.
    Bun.sleepSync(lockRetryMs * (0.5 + Math.random()));
  }
}

function attempt(options: DatabaseOptions): Database | StoreError {
  const walPath = `${options.path}-wal`;
  let database: Database | undefined;
  try {
    refuseLink(options.path);
    // Never opened a second time by this process: closing any descriptor of the file would drop its fcntl locks.
    if (!existsSync(options.path)) closeSync(openSync(options.path, 'wx', 0o600));
    database = new Database(options.path, { readwrite: true, strict: true });
    // Whatever is refused below: what is in the log may not be in the database.
    keepLog(database, true);
    configure(database, options);
    checkLog(database, walPath);
    if (isFresh(database)) create(database, options);
    checkIdentity(database, options);
    recoverWal(database, walPath, formatVersion);
    // The names of the database and of its WAL, which is there by now, must survive a power cut too.
    syncDirectory(dirname(options.path));
    return database;
  } catch (error) {
    if (database !== undefined) leaveUnchanged(database);
    database?.close();
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      return new StoreError('locked', 'created by another process');
    return storeErrorFrom(error, 'Opening the store', options.path);
  }
}

function configure(database: Database, options: DatabaseOptions): void {
  setPragma(database, 'busy_timeout', 0, 0);
  setPragma(database, 'locking_mode', 'exclusive', 'exclusive');
  checkFormat(database, options.path);
  database.run(`PRAGMA page_size = ${pageBytes}`);
  setPragma(database, 'journal_mode', 'wal', 'wal');
  setPragma(database, 'synchronous', 'full', 2);
  // On macOS fsync does not reach the platter without these; elsewhere they do nothing.
  setPragma(database, 'fullfsync', 1, 1);
  setPragma(database, 'checkpoint_fullfsync', 1, 1);
  setPragma(database, 'wal_autocheckpoint', 0, 0);
  // Else it would empty a log that is kept when the database is closed.
  setPragma(database, 'journal_size_limit', -1, -1);
  setPragma(database, 'cache_size', -cacheKiB, -cacheKiB);
  setPragma(database, 'mmap_size', 0, 0);
  setPragma(database, 'temp_store', 2, 2);
  setPragma(database, 'cell_size_check', 1, 1);
  setPragma(database, 'secure_delete', 0, 0);
  if (options.bytesMax !== undefined)
    database.run(`PRAGMA max_page_count = ${Math.max(1, Math.floor(options.bytesMax / pageBytes))}`);
}

/** Sets a pragma and throws if it reads back otherwise: a store that silently syncs less is not one. */
function setPragma(database: Database, name: string, value: number | string, expected: number | string): void {
  database.run(`PRAGMA ${name} = ${value}`);
  const actual = readValue(database, `PRAGMA ${name}`);
  if (actual !== expected) {
    throw new StoreError(
      'io',
      `SQLite setting ${name} is ${String(actual)} instead of ${expected}; entries could be lost in a power cut. Put the store on a local file system.`,
    );
  }
}

/** The first column of the first row. */
export function readValue(database: Database, sql: string): unknown {
  using statement = database.prepare(sql);
  return statement.values()[0]?.[0];
}

/** Before anything is changed: a newer release's file, or one that is not ours, stays untouched. */
function checkFormat(database: Database, path: string): void {
  const application = readValue(database, 'PRAGMA application_id');
  const version = readValue(database, 'PRAGMA user_version');
  if (application === 0 && version === 0 && isFresh(database)) return;
  if (application !== applicationId) {
    throw new StoreError(
      'corrupt',
      `${path} is a database but not a conductor's. Nothing was changed. Point the storage directory elsewhere or move the file away.`,
    );
  }
  if (version === formatVersion || version === unnumberedFormat) return;
  if (typeof version === 'number' && version > formatVersion) {
    throw new StoreError(
      'version',
      `${path} was written by a newer release (format ${version}, this release knows ${formatVersion}); reading it could misunderstand votes. Start that release again, or remove this server, move its directory away and add it again.`,
    );
  }
  throw new StoreError(
    'corrupt',
    `${path} has the impossible format version ${String(version)}, so its header is damaged. ${restoreAdvice}`,
  );
}

function isFresh(database: Database): boolean {
  return readValue(database, 'SELECT count(*) FROM sqlite_schema') === 0;
}

function create(database: Database, options: DatabaseOptions): void {
  database.run('BEGIN EXCLUSIVE');
  database.run(schema);
  database.run('INSERT INTO identity (id, server_id) VALUES (1, ?)', [options.serverId]);
  database.run(`PRAGMA application_id = ${applicationId}`);
  database.run(`PRAGMA user_version = ${unnumberedFormat}`);
  database.run('COMMIT');
  // The identity goes into the main file at once, so that a lost WAL cannot make the file look new.
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
}

function checkIdentity(database: Database, options: DatabaseOptions): void {
  const owner = readValue(database, 'SELECT server_id FROM identity WHERE id = 1');
  if (owner !== options.serverId) {
    throw new StoreError(
      'identity',
      `${options.path} belongs to server ${JSON.stringify(owner)}, not ${JSON.stringify(options.serverId)}; two servers with one vote record could elect two leaders. Fix the server id, or point it at its own directory.`,
    );
  }
}
