/** What goes of the console's history: with age, and its oldest part where the file is full. */
import type { Database } from 'bun:sqlite';

/** How long events and states are kept, and every block; older blocks stay where the chain had a gap. */
const eventMsMax = 30 * 24 * 3600 * 1000;
const everyBlockMsMax = 26 * 3600 * 1000;
/** Around an election every block is kept as long as the election: so long before it, and so long after it. */
export const beforeElectionMs = 600_000;
const afterElectionMs = 60_000;
/** Part of the oldest events that goes when the file is full. */
const fullPart = 0.1;

/** Lets go of what is too old; always true. */
export function thinHistory(db: Database, nowMs: number): boolean {
  db.query('DELETE FROM events WHERE at < ?').run(nowMs - eventMsMax);
  db.query('DELETE FROM blocks WHERE at < ?').run(nowMs - eventMsMax);
  // What lies around an election is a failover's, which is made of blocks for as long as it is told.
  db.query(
    `DELETE FROM blocks WHERE gap = 0 AND at < ? AND NOT EXISTS (SELECT 1 FROM events e
       WHERE e.cluster = blocks.cluster AND e.kind = 'role'
       AND e.at BETWEEN blocks.at - ${afterElectionMs} AND blocks.at + ${beforeElectionMs})`,
  ).run(nowMs - everyBlockMsMax);
  db.query('DELETE FROM silences WHERE until < ?').run(nowMs);
  // The newest state before the bound still tells how things were at it.
  db.query(
    `DELETE FROM lanes WHERE at < (SELECT max(l.at) FROM lanes l
       WHERE l.cluster = lanes.cluster AND l.server = lanes.server AND l.at <= ?)`,
  ).run(nowMs - eventMsMax);
  return true;
}

/** Whether a write failed because the file is as large as it may be; a full volume says the same, and is not helped by less. */
export function isFull(db: Database, error: unknown, pagesMax: number): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL')) return false;
  const { used } = db
    .query<{ used: number }, []>(
      'SELECT page_count - freelist_count AS used FROM pragma_page_count, pragma_freelist_count',
    )
    .get() ?? { used: 0 };
  return used >= pagesMax * (1 - fullPart);
}

/** Makes room in a full file. */
export function dropOldest(db: Database): void {
  for (const table of ['events', 'blocks', 'lanes']) {
    const bound = db
      .query<{ at: number | null }, []>(
        `SELECT at FROM ${table} ORDER BY at LIMIT 1 OFFSET (SELECT CAST(count(*) * ${fullPart} AS INTEGER) FROM ${table})`,
      )
      .get();
    if (bound?.at != null) db.query(`DELETE FROM ${table} WHERE at <= ?`).run(bound.at);
  }
}
