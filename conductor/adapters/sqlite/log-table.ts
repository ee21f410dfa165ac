/**
 * The entries of the log in two tables: heads (what load() reads) and bodies (the data).
 * Rows below the first index are garbage of a compaction: they are deleted a few at a time,
 * because deleting thousands of big entries in one transaction would stop the server for a second.
 * Every method that changes rows runs inside the caller's transaction.
 */
import type { Database, Statement } from 'bun:sqlite';
import type { EntrySummary, StoredEntry } from '#conductor/core/ports';
import type { Entry } from '#conductor/core/raft/types';
import { bodyChecksum, headChecksum } from './checksum.ts';
import { StoreError, restoreAdvice } from './store-error.ts';

/** A stored head with the checksum found beside it. */
export interface StoredHead extends EntrySummary {
  readonly checksum: number;
}

type HeadRow = [number, number, number, number, Uint8Array | null, number];
interface WholeRow {
  readonly term: number;
  readonly type: number;
  readonly size: number;
  readonly summary: Uint8Array | null;
  readonly bodyChecksum: number;
  readonly appendedAt: Uint8Array;
  readonly extensions: Uint8Array | null;
  readonly data: Uint8Array | null;
}

const wholeColumns = `entry.term AS term, entry.type AS type, entry.size AS size, entry.summary AS summary, entry.body_checksum AS bodyChecksum,
  body.appended_at AS appendedAt, body.extensions AS extensions, body.data AS data`;

export class LogTable implements Disposable {
  readonly #path: string;
  readonly #statements = new DisposableStack();
  readonly #insertHead: Statement;
  readonly #insertBody: Statement;
  readonly #deleteHeads: Statement;
  readonly #deleteBodies: Statement;
  readonly #selectHeads: Statement;
  readonly #selectWhole: Statement;
  readonly #selectGarbage: Statement;
  readonly #selectHighestBelow: Statement;

  constructor(database: Database, path: string) {
    const prepare = (sql: string): Statement => this.#statements.use(database.prepare(sql));
    this.#path = path;
    this.#insertHead = prepare(
      'INSERT INTO entry (id, term, type, size, summary, checksum, body_checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertBody = prepare('INSERT INTO body (id, appended_at, extensions, data) VALUES (?, ?, ?, ?)');
    this.#deleteHeads = prepare('DELETE FROM entry WHERE id BETWEEN ? AND ?');
    this.#deleteBodies = prepare('DELETE FROM body WHERE id BETWEEN ? AND ?');
    this.#selectHeads = prepare('SELECT id, term, type, size, summary, checksum FROM entry WHERE id >= ? ORDER BY id');
    this.#selectWhole = prepare(`SELECT ${wholeColumns} FROM entry JOIN body ON body.id = entry.id WHERE entry.id = ?`);
    this.#selectGarbage = prepare('SELECT id, size FROM entry WHERE id < ? ORDER BY id LIMIT ?');
    this.#selectHighestBelow = prepare('SELECT max(id) FROM entry WHERE id < ?');
  }

  insert(stored: StoredEntry): void {
    const { index, term, type, data, extensions, appendedAt } = stored.entry;
    const head = { index, term, type, size: data?.length ?? 0, summary: stored.summary };
    const checksum = headChecksum(head);
    this.#insertHead.run(index, term, type, head.size, stored.summary, checksum, bodyChecksum(checksum, stored.entry));
    this.#insertBody.run(index, appendedAt, extensions, data);
  }

  /** Deletes entries from..to inclusive. */
  delete(from: number, to: number): void {
    this.#deleteHeads.run(from, to);
    this.#deleteBodies.run(from, to);
  }

  /** Heads of all entries with index ≥ first, unchecked, in order. */
  heads(first: number): StoredHead[] {
    const rows = this.#selectHeads.values(first) as unknown as HeadRow[];
    return rows.map(([index, term, type, size, summary, checksum]) => ({ index, term, type, size, summary, checksum }));
  }

  /** One entry, checked; throws StoreError 'corrupt'. */
  read(index: number): Entry {
    const row = this.#selectWhole.get(index) as WholeRow | null;
    if (row === null) throw this.#corrupt(index, 'is missing');
    const { term, type, size, summary, appendedAt, extensions, data } = row;
    const entry: Entry = { index, term, type, data, extensions, appendedAt };
    const head = headChecksum({ index, term, type, size, summary });
    if (bodyChecksum(head, entry) !== row.bodyChecksum) throw this.#corrupt(index, 'does not match its checksum');
    return entry;
  }

  /**
   * Deletes some of the rows below `first`: at most rowsMax, stopping after bytesMax of data (at least one).
   * Returns whether more remain.
   */
  reclaim(first: number, rowsMax: number, bytesMax: number): boolean {
    const rows = this.#selectGarbage.values(first, rowsMax + 1) as unknown as [number, number][];
    let bytes = 0;
    let taken = 0;
    while (taken < rows.length && taken < rowsMax && bytes < bytesMax) bytes += rows[taken++]?.[1] ?? 0;
    const from = rows[0]?.[0];
    const to = rows[taken - 1]?.[0];
    if (from !== undefined && to !== undefined) this.delete(from, to);
    return taken < rows.length;
  }

  /** The highest index below `first` that has a row; 0 if none has. */
  highestBelow(first: number): number {
    return (this.#selectHighestBelow.values(first)[0]?.[0] as number | null) ?? 0;
  }

  [Symbol.dispose](): void {
    this.#statements.dispose();
  }

  #corrupt(index: number, what: string): StoreError {
    return new StoreError(
      'corrupt',
      `Log entry ${index} in ${this.#path} ${what}; it must not be applied or sent to peers. ${restoreAdvice}`,
    );
  }
}
