/**
 * The blocks of one development sequencer in a SQLite file: the chain by number and by hash, and
 * the list of what this node published. It survives kill −9 (WAL), so that a restarted node comes
 * back with its chain as an execution client does.
 */
import { Database } from 'bun:sqlite';
import { messageOf } from '#conductor/core/errors';
import type { DevBlock } from './block.ts';
import type { BlockPosition } from './chain-spec.ts';

/** Blocks kept below the head; older ones are deleted. */
const BLOCKS_KEPT_MAX = 100_000;
/** How often, in blocks, old ones are deleted. */
const PRUNE_EVERY = 1_000;

/** The file belongs to another chain, or is not a database. The message names the file and what to do. */
class BlockStoreError extends Error {
  override readonly name = 'BlockStoreError';
}

/** A block this node gossiped, and when. */
export interface PublishedBlock {
  readonly number: number;
  readonly hash: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

const POSITION_COLUMNS = 'number, hash, parent_hash AS parentHash, timestamp';

/** Opened with `openBlockStore`; one per process. */
export class BlockStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  head(): DevBlock | null {
    return this.#one('ORDER BY number DESC LIMIT 1');
  }

  byNumber(number: number): DevBlock | null {
    return this.#one('WHERE number = ?', number);
  }

  byHash(hash: string): DevBlock | null {
    return this.#one('WHERE hash = ?', hash);
  }

  /** Where the highest block is whose timestamp is at most this (Unix seconds). */
  latestUntil(timestamp: number): BlockPosition | null {
    return this.#db
      .query<BlockPosition, [number]>(
        `SELECT ${POSITION_COLUMNS} FROM blocks WHERE timestamp <= ? ORDER BY timestamp DESC LIMIT 1`,
      )
      .get(timestamp);
  }

  /** Envelopes as JSON text, ascending from a number, until the count or (after at least one) the characters run out. */
  texts(from: number, through: number, countMax: number, charactersMax: number): string[] {
    const found: string[] = [];
    let characters = 0;
    const query = this.#db.query<{ text: string }, [number, number, number]>(
      'SELECT text FROM blocks WHERE number >= ? AND number <= ? ORDER BY number LIMIT ?',
    );
    for (const row of query.iterate(from, through, countMax)) {
      characters += row.text.length;
      if (found.length > 0 && characters > charactersMax) break;
      found.push(row.text);
    }
    return found;
  }

  append(block: DevBlock): void {
    insertBlock(this.#db, block);
    if (block.number % PRUNE_EVERY === 0) {
      this.#db.query('DELETE FROM blocks WHERE number < ?').run(block.number - BLOCKS_KEPT_MAX);
      this.#db.query('DELETE FROM published WHERE number < ?').run(block.number - BLOCKS_KEPT_MAX);
    }
  }

  /** Deletes every block above a number. */
  rewind(number: number): void {
    this.#db.query('DELETE FROM blocks WHERE number > ?').run(number);
  }

  recordPublished(block: PublishedBlock): void {
    this.#db
      .query('INSERT OR IGNORE INTO published (number, hash, at_ms) VALUES (?, ?, ?)')
      .run(block.number, block.hash, block.atMs);
  }

  /** What was published from a number on, ascending, at most `countMax`. */
  published(from: number, countMax: number): PublishedBlock[] {
    return this.#db
      .query<PublishedBlock, [number, number]>(
        'SELECT number, hash, at_ms AS atMs FROM published WHERE number >= ? ORDER BY number, at_ms LIMIT ?',
      )
      .all(from, countMax);
  }

  close(): void {
    this.#db.close();
  }

  #one(condition: string, ...parameters: (string | number)[]): DevBlock | null {
    const sql = `SELECT ${POSITION_COLUMNS}, text FROM blocks ${condition}`;
    return this.#db.query<DevBlock, (string | number)[]>(sql).get(...parameters);
  }
}

function insertBlock(db: Database, block: DevBlock): void {
  db.query('INSERT INTO blocks (number, hash, parent_hash, timestamp, text) VALUES (?, ?, ?, ?, ?)').run(
    block.number,
    block.hash,
    block.parentHash,
    block.timestamp,
    block.text,
  );
}

/** Opens or creates the file. Throws BlockStoreError when it holds another chain or is damaged. */
export function openBlockStore(path: string, genesis: DevBlock): BlockStore {
  try {
    const db = new Database(path, { create: true, strict: true });
    db.run('PRAGMA journal_mode = WAL');
    db.run('PRAGMA synchronous = NORMAL');
    db.run(
      'CREATE TABLE IF NOT EXISTS blocks (number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, parent_hash TEXT NOT NULL, timestamp INTEGER NOT NULL, text TEXT NOT NULL)',
    );
    db.run('CREATE INDEX IF NOT EXISTS blocks_timestamp ON blocks (timestamp)');
    db.run(
      'CREATE TABLE IF NOT EXISTS published (number INTEGER NOT NULL, hash TEXT NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (number, hash))',
    );
    db.run('CREATE TABLE IF NOT EXISTS genesis (hash TEXT PRIMARY KEY)');
    claim(db, path, genesis);
    return new BlockStore(db);
  } catch (error) {
    if (error instanceof BlockStoreError) throw error;
    throw new BlockStoreError(
      `cannot read the blocks in ${path}: ${messageOf(error)}. Delete the data directory to start a new chain.`,
      { cause: error },
    );
  }
}

/** Writes the genesis into a new file, or checks that an old one has the same. */
function claim(db: Database, path: string, genesis: DevBlock): void {
  const row = db.query<{ hash: string }, []>('SELECT hash FROM genesis').get();
  if (row !== null && row.hash !== genesis.hash) {
    throw new BlockStoreError(
      `${path} belongs to another chain (genesis ${row.hash}, expected ${genesis.hash}). ` +
        'Use another data directory, or delete this one to start a new chain.',
    );
  }
  if (row === null) {
    db.query('INSERT INTO genesis (hash) VALUES (?)').run(genesis.hash);
    insertBlock(db, genesis);
  }
}
