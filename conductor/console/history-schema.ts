/** The tables of the console's history, and how the file of an earlier release comes by what they did not have. */
import type { Database } from 'bun:sqlite';

const schema = `
CREATE TABLE IF NOT EXISTS events(
  cluster TEXT NOT NULL, server TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  data TEXT NOT NULL, UNIQUE(cluster, server, source));
CREATE INDEX IF NOT EXISTS events_at ON events(cluster, at);
CREATE TABLE IF NOT EXISTS lanes(
  cluster TEXT NOT NULL, server TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL,
  PRIMARY KEY(cluster, server, at)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks(
  cluster TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, gap INTEGER NOT NULL DEFAULT 0,
  spread INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(cluster, number)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS blocks_at ON blocks(cluster, at);
CREATE INDEX IF NOT EXISTS blocks_gap ON blocks(cluster, at, gap) WHERE gap > 0;
CREATE TABLE IF NOT EXISTS cursors(cluster TEXT NOT NULL, server TEXT NOT NULL, source TEXT NOT NULL,
  PRIMARY KEY(cluster, server)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS silences(cluster TEXT NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL, name TEXT NOT NULL,
  until INTEGER NOT NULL, PRIMARY KEY(cluster, text)) WITHOUT ROWID;
`;

/** Makes what is missing. */
export function prepareHistory(db: Database): void {
  db.exec(schema);
  addColumn(db, 'blocks', 'spread', 'INTEGER NOT NULL DEFAULT 0');
}

function addColumn(db: Database, table: string, name: string, type: string): void {
  const known = db.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)').all(table);
  if (!known.some((column) => column.name === name)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
}
