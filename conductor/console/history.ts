/**
 * What the console remembers, in one SQLite file: events, how each server was from when on, and when blocks were first
 * seen. Bounded by age, thinned with it, and bounded by size; losing it costs the past of the pictures and nothing else.
 */
import { Database, type Statement } from 'bun:sqlite';
import { beforeElectionMs, dropOldest, isFull, thinHistory } from './history-bounds.ts';
import { prepareHistory } from './history-schema.ts';
import type { LaneChange, LateCell, ServerState } from './protocol.ts';

/** An event of a server as it came, without commits, which are blocks. */
export interface StoredEvent {
  readonly cluster: string;
  readonly server: string;
  /** The server's own wall clock. */
  readonly atMs: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredBlock {
  readonly number: number;
  readonly atMs: number;
  /** It came at most so long before `atMs`: nobody told of it, it was found by asking. Nothing or 0 where somebody did. */
  readonly spreadMs?: number;
}

/** Rows that a question answers with. */
const rowsMax = 20_000;
/** Size of the file, pages of 4 KiB: a quarter of a gigabyte. */
const pagesMax = 64 * 1024;
/** Events that could not be written and are known by their names all the same; of more the oldest are forgotten. */
const unwrittenMax = 1000;
type EventRow = Omit<StoredEvent, 'cluster' | 'data'> & { readonly data: string };
type LaneRow = Omit<LaneChange, 'state'> & { readonly state: string };

export class History {
  readonly #db: Database;
  readonly #pagesMax: number;
  readonly #addEvent: Statement;
  readonly #addLane: Statement;
  readonly #addBlock: Statement;
  readonly #setCursor: Statement;
  readonly #unwritten = new Set<string>();

  /** Opens or makes the file; ':memory:' for none. `limit`: its pages at most. Throws when it is no database. */
  constructor(path: string, limit = pagesMax) {
    this.#pagesMax = limit;
    this.#db = new Database(path, { create: true });
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
    this.#db.exec(`PRAGMA max_page_count = ${limit}`);
    prepareHistory(this.#db);
    this.#addEvent = this.#db.prepare('INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?)');
    this.#addLane = this.#db.prepare('INSERT OR REPLACE INTO lanes VALUES (?, ?, ?, ?)');
    this.#addBlock = this.#db.prepare(
      'INSERT INTO blocks(cluster, number, at, gap, spread) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE ' +
        'SET at = min(at, excluded.at), spread = iif(excluded.at < at, excluded.spread, iif(excluded.at = at, min(excluded.spread, spread), spread))',
    );
    this.#setCursor = this.#db.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)');
  }

  /** `source` names the event among those of its server. False where it was known already, also if it could not be written. */
  event({ cluster, server, atMs, kind, data }: StoredEvent, source: string): boolean {
    const isNew = this.#write(() => {
      const { changes } = this.#addEvent.run(cluster, server, source, atMs, kind, JSON.stringify(data));
      return changes > 0;
    });
    if (isNew !== null) return isNew;
    const name = JSON.stringify([cluster, server, source]);
    if (this.#unwritten.has(name)) return false;
    if (this.#unwritten.size >= unwrittenMax) this.#unwritten.delete(this.#unwritten.keys().next().value!);
    this.#unwritten.add(name);
    return true;
  }

  lane(cluster: string, { server, atMs, state }: LaneChange): void {
    this.#write(() => this.#addLane.run(cluster, server, atMs, JSON.stringify(state)).changes > 0);
  }

  /** When a block was seen; the earliest word counts. `gapMs`: since the one before it where it came late, else 0. */
  block(cluster: string, { number, atMs, spreadMs = 0 }: StoredBlock, gapMs: number): void {
    this.#write(() => this.#addBlock.run(cluster, number, atMs, gapMs, spreadMs).changes > 0);
  }

  /** Up to which event a server's stream was read. */
  setCursor(cluster: string, server: string, source: string): void {
    this.#write(() => this.#setCursor.run(cluster, server, source).changes > 0);
  }

  cursor(cluster: string, server: string): string | null {
    const sql = 'SELECT source FROM cursors WHERE cluster = ? AND server = ?';
    return this.#all<{ source: string }>(sql, cluster, server)[0]?.source ?? null;
  }

  /** Events of a stretch of time, ascending; the newest of them where there are too many. */
  events(cluster: string, fromMs: number, toMs: number): StoredEvent[] {
    const sql =
      'SELECT server, at AS atMs, kind, data FROM events WHERE cluster = ? AND at BETWEEN ? AND ? ORDER BY at DESC, rowid DESC LIMIT ?';
    return this.#all<EventRow>(sql, cluster, fromMs, toMs, rowsMax)
      .map((row) => ({ ...row, cluster, data: JSON.parse(row.data) as Record<string, unknown> }))
      .reverse();
  }

  /** Who was elected last, as far as is known; null for nobody. */
  leader(cluster: string): string | null {
    const sql = `SELECT server FROM events WHERE cluster = ? AND kind = 'role' AND json_extract(data, '$.role') = 'leader'
      ORDER BY at DESC, rowid DESC LIMIT 1`;
    return this.#all<{ server: string }>(sql, cluster)[0]?.server ?? null;
  }

  /** States of a stretch, ascending, beginning for each server with what was so at its start. */
  lanes(cluster: string, fromMs: number, toMs: number): LaneChange[] {
    const before = 'SELECT server, max(at) AS atMs, state FROM lanes WHERE cluster = ? AND at <= ? GROUP BY server';
    const within =
      'SELECT server, at AS atMs, state FROM lanes WHERE cluster = ? AND at > ? AND at <= ? ORDER BY at LIMIT ?';
    const rows = this.#all<LaneRow>(before, cluster, fromMs);
    rows.push(...this.#all<LaneRow>(within, cluster, fromMs, toMs, rowsMax));
    return rows.map((row) => ({ ...row, state: JSON.parse(row.state) as ServerState }));
  }

  /** Blocks of a stretch, ascending. */
  blocks(cluster: string, fromMs: number, toMs: number): StoredBlock[] {
    const sql =
      'SELECT number, at AS atMs, spread AS spreadMs FROM blocks WHERE cluster = ? AND at BETWEEN ? AND ? ORDER BY at, number LIMIT ?';
    return this.#all(sql, cluster, fromMs, toMs, rowsMax);
  }

  /** The last block before a moment; none where none is known. */
  blockBefore(cluster: string, atMs: number): StoredBlock[] {
    const sql = `SELECT number, at AS atMs, spread AS spreadMs FROM blocks WHERE cluster = ? AND at < ?
      ORDER BY at DESC, number DESC LIMIT 1`;
    return this.#all(sql, cluster, atMs);
  }

  /** How late blocks of a stretch were, in cells of time, ascending (protocol.ts, LateCell); added up where they lie. */
  late(
    cluster: string,
    { fromMs, toMs, cellMs, blockMs, zeroMs }: Record<'fromMs' | 'toMs' | 'cellMs' | 'blockMs' | 'zeroMs', number>,
  ): LateCell[] {
    type Row = Record<'cell' | 'least' | 'mean' | 'most', number>;
    const sql = `SELECT CAST((at - ?) / ? AS INTEGER) AS cell, min(late) AS least, avg(late) AS mean, max(late) AS most
      FROM (SELECT at, at - ? - number * ? AS late FROM blocks WHERE cluster = ? AND at BETWEEN ? AND ?)
      GROUP BY cell ORDER BY cell`;
    const rows = this.#all<Row>(sql, fromMs, cellMs, zeroMs, blockMs, cluster, fromMs, toMs);
    return rows.map(({ cell, least, mean, most }) => [
      Math.round(fromMs + cell * cellMs),
      least,
      Math.round(mean),
      most,
    ]);
  }

  /** Blocks around some moments, ascending, each once. */
  blocksAround(cluster: string, momentsMs: readonly number[]): StoredBlock[] {
    const found = new Map<number, StoredBlock>();
    for (const atMs of momentsMs) {
      for (const block of this.blocks(cluster, atMs - beforeElectionMs, atMs + beforeElectionMs))
        found.set(block.number, block);
    }
    return [...found.values()].toSorted((a, b) => a.atMs - b.atMs || a.number - b.number);
  }

  /** How many blocks a stretch has, and its first and last, without reading them; null where there is none. */
  blockCount(cluster: string, fromMs: number, toMs: number): { count: number; fromMs: number; toMs: number } | null {
    const sql =
      'SELECT count(*) AS count, min(at) AS fromMs, max(at) AS toMs FROM blocks WHERE cluster = ? AND at BETWEEN ? AND ?';
    const [row] = this.#all<{ count: number; fromMs: number; toMs: number }>(sql, cluster, fromMs, toMs);
    return row === undefined || row.count === 0 ? null : row;
  }

  /** Pauses that ended in a stretch, ascending. */
  pauses(cluster: string, fromMs: number, toMs: number): (readonly [fromMs: number, toMs: number])[] {
    const sql = 'SELECT at, gap FROM blocks WHERE cluster = ? AND at BETWEEN ? AND ? AND gap > 0 ORDER BY at LIMIT ?';
    const rows = this.#all<{ at: number; gap: number }>(sql, cluster, fromMs, toMs, rowsMax);
    return rows.map(({ at, gap }) => [at - gap, at]);
  }

  silence(cluster: string, text: string, reason: string, name: string, untilMs: number): void {
    this.#write(() => {
      const add = this.#db.query('INSERT OR REPLACE INTO silences VALUES (?, ?, ?, ?, ?)');
      return add.run(cluster, text, reason, name, untilMs).changes > 0;
    });
  }

  silences(cluster: string, nowMs: number): { text: string; reason: string; untilMs: number }[] {
    const sql = 'SELECT text, reason, until AS untilMs FROM silences WHERE cluster = ? AND until > ?';
    return this.#all(sql, cluster, nowMs);
  }

  /** Lets go of what is too old; to be called now and then. */
  thin(nowMs: number): void {
    this.#write(() => thinHistory(this.#db, nowMs));
  }

  /** Bytes of the file. */
  get bytes(): number {
    const [row] = this.#all<{ pages: number }>('SELECT page_count AS pages FROM pragma_page_count');
    return (row?.pages ?? 0) * 4096;
  }

  close(): void {
    this.#db.close();
  }

  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#db.query<Row, (string | number)[]>(sql).all(...values);
  }

  /** A full file loses its oldest tenth, once per write; a write that fails otherwise, or all the same, is lost: null. */
  #write(write: () => boolean): boolean | null {
    try {
      return write();
    } catch (error) {
      if (!isFull(this.#db, error, this.#pagesMax)) return null;
      try {
        dropOldest(this.#db);
        return write();
      } catch {
        return null;
      }
    }
  }
}
