/**
 * Tells whether the write-ahead log beside a database is the one that belongs to it. SQLite opens a database whose log was
 * lost as an older store, and one beside the log of another moment as a mixture of two moments, and says nothing.
 *
 * Logs are numbered, and the first transaction of each writes its number: even numbers into one table, odd ones into
 * another. So a log holds the page of its own number, and the database, into which the log before it was copied back
 * whole, that of the number before. Whenever a crash comes, the two that are read follow each other; with the log of
 * another moment they do not.
 *
 * The number is negative where nothing is missing without the log, as after a clean end. It becomes positive, also in the
 * database itself, before the first write is acknowledged. From then on there is a log, and none is a lost one.
 */
import { constants, SQLiteError, type Database } from 'bun:sqlite';
import { takeFile } from '#conductor/adapters/system/take-file';

/** The tables of even and of odd numbers. */
const tables = ['even_log', 'odd_log'];
/** Numbers begin anywhere below, so that no log of another store follows; room for as many as a store can have is above. */
const firstNumberMax = 2 ** 48;

/**
 * To a new store, or to one of an earlier format, which has no numbers. With them comes the new format: a release that does
 * not know them would leave a positive number without a log.
 */
export function addLogNumbers(database: Database, format: number): void {
  const even = 2 * Math.floor((Math.random() * firstNumberMax) / 2);
  const create = tables.map(
    (table, at) => `CREATE TABLE ${table} (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL) STRICT;
      INSERT INTO ${table} (id, number) VALUES (1, ${-even - at});`,
  );
  database.run(`BEGIN; ${create.join('')} PRAGMA user_version = ${format}; COMMIT`);
}

/** That of the last log; null where the two numbers do not follow each other, undefined in a store that has none. */
export function readLogNumber(database: Database): number | null | undefined {
  using names = database.prepare(`SELECT name FROM sqlite_schema WHERE name IN ('${tables.join("', '")}')`);
  if (names.values().length === 0) return undefined;
  using numbers = database.prepare(`SELECT number FROM ${tables.join(' UNION ALL SELECT number FROM ')}`);
  const [one = NaN, other = NaN] = numbers.values().map(([number]) => number as number);
  const distance = Math.abs(one) - Math.abs(other);
  if (Math.abs(distance) !== 1) return null;
  return distance > 0 ? one : other;
}

/** Within the caller's transaction, if there is one. */
export function writeLogNumber(database: Database, number: number): void {
  database.run(`UPDATE ${tables[Math.abs(number) % 2] ?? ''} SET number = ?`, [number]);
}

/** Whether the log stays when the database is closed. */
export function keepLog(database: Database, isKept: boolean): void {
  database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, isKept ? 1 : 0);
}

/** SQLITE_FCNTL_NULL_IO, for which Bun has no name: for where a file cannot be taken from its descriptors. */
const nullIo = 43;

/**
 * The last use of a database that is refused, or open when the process ends. What closes it would copy its log back, also one
 * that is not its own: the file is taken from it first. SQLITE_FCNTL_NULL_IO, which does the same, has SQLite close the
 * descriptor twice where it holds a lock, and by then another thread may have one of that number.
 */
export function leaveUnchanged(database: Database): void {
  try {
    database.run('BEGIN IMMEDIATE');
  } catch (error) {
    // Others have it, perhaps in this process: then this one copies nothing back. One that is corrupt it would.
    if (isHeldByOthers(error) && !database.inTransaction) return;
  }
  try {
    takeFile(database.filename);
  } catch (error) {
    // Gone from where it was, SQLite copies nothing back either (pager.c: databaseIsUnmoved).
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone) database.fileControl(nullIo);
  }
}

function isHeldByOthers(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? '');
}
