/**
 * A program that writes to a store without end and acknowledges each batch on standard output, to
 * be killed at any moment. Batch number T appends `entriesOf(T)` entries of term T and raises the
 * hard state to term T, so that a reader can tell a whole batch from a part of one.
 * Usage: bun crash-writer.ts <directory>
 */
import { writeSync } from 'node:fs';
import type { WriteBatch } from '#conductor/core/ports';
import { openStore } from '../store.ts';
import { entryAt, hardStateAt, snapshotAt } from './values.ts';

/** Where this program is. */
export const crashWriterPath = import.meta.filename;
/** Server id it opens the store with. */
export const crashServerId = 'crash';

/** Entries that batch T appends. */
export function entriesOf(batch: number): number {
  return 1 + (batch % 5);
}

/** Bytes of an entry: now and then several pages. */
export function bytesOf(index: number): number {
  return index % 7 === 0 ? 60_000 : (index * 13) % 500;
}

const snapshotEvery = 6;
const keptBehindSnapshot = 20;
const maintainEvery = 3;

function writeForEver(directory: string): never {
  const store = openStore({ directory, serverId: crashServerId });
  const stored = store.load();
  let last = stored.entries.at(-1)?.index ?? stored.snapshot?.index ?? 0;
  for (let batch = (stored.hardState?.term ?? 0) + 1; ; batch += 1) {
    const entries = Array.from({ length: entriesOf(batch) }, (_, at) =>
      entryAt(last + 1 + at, batch, bytesOf(last + 1 + at)),
    );
    last += entries.length;
    const compaction: WriteBatch =
      batch % snapshotEvery === 0
        ? { snapshot: snapshotAt(last, batch), compactThrough: Math.max(0, last - keptBehindSnapshot) }
        : {};
    store.write({ hardState: hardStateAt(batch), entries, ...compaction });
    writeSync(1, `${batch} ${last}\n`);
    if (batch % maintainEvery === 0) store.maintain();
  }
}

if (import.meta.main) writeForEver(process.argv[2] ?? '');
