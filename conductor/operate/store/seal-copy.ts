/**
 * What is done to every copy of a store before it gets a name. It is read to its last byte: the checksum of every
 * entry, then SQLite's own check of the pages. It is marked as a store that has to recover (rule 9), for since it was
 * copied its server may have voted and acknowledged entries: also a backup that somebody puts in place by hand must
 * not vote. And it becomes one plain file that needs no log beside it.
 */
import { Database } from 'bun:sqlite';
import { readLogNumber } from '#conductor/adapters/sqlite/log-number';
import { openStore } from '#conductor/adapters/sqlite/store';
import { Refusal } from './refusal.ts';
import { identityOfFile, reportOfFile, type StoreReport } from './store-report.ts';
import { damageFrom, verifyStore } from './verify-store.ts';

export interface SealOptions {
  /** The folder of the copy. */
  readonly directory: string;
  /** The database in it. */
  readonly database: string;
  /** What people know the store as, for messages. */
  readonly name: string;
  /** Ends it early; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves with what the store holds; rejects with Refusal 'damaged' for the first thing that is wrong. */
export async function sealCopy({ directory, database, name, signal }: SealOptions): Promise<StoreReport> {
  const serverId = identityOfFile(database);
  try {
    markRecovering(directory, serverId);
    using opened = new DisposableStack();
    const copy = opened.adopt(new Database(database, { readwrite: true, strict: true }), (one) => one.close());
    await verifyStore(copy, { name, signal });
    // Else it would be refused for ever, as a store whose log was lost.
    if (!((readLogNumber(copy) ?? NaN) <= 0))
      throw new Refusal('damaged', `${name} cannot do without its log: see whether the disk has room, and try again.`);
    copy.run('PRAGMA journal_mode = delete');
  } catch (error) {
    throw damageFrom(error, name);
  }
  return reportOfFile(database);
}

/** What was never written to is as good as new already. */
function markRecovering(directory: string, serverId: string): void {
  using store = openStore({ directory, serverId });
  const { hardState } = store.load();
  if (hardState !== null) store.write({ hardState: { ...hardState, recovering: true } });
}
