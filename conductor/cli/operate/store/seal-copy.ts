/**
 * What is done to every copy of a store before it gets a name. It is read to its last byte: the checksum of every
 * entry, then SQLite's own check of the pages. It is marked as a store that has to recover (rule 9), for since it was
 * copied its server may have voted and acknowledged entries: also a backup that somebody puts in place by hand must
 * not vote. And it becomes one plain file that needs no log beside it.
 */
import { Database } from 'bun:sqlite';
import { setImmediate } from 'node:timers/promises';
import { openStore } from '#conductor/adapters/sqlite/store';
import { storeErrorFrom } from '#conductor/adapters/sqlite/store-error';
import { Refusal } from './refusal.ts';
import { identityOfFile, reportOfFile, type StoreReport } from './store-report.ts';

/** Data checked between two looks at signals. */
const stepBytes = 8 * 1024 * 1024;

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
  const store = openStore({ directory, serverId });
  try {
    const { hardState } = store.load();
    for (;;) {
      const { done, error } = store.verifyNext(stepBytes);
      if (error !== undefined) throw error;
      if (done) break;
      await setImmediate();
      signal?.throwIfAborted();
    }
    // Never written to is as good as new already.
    if (hardState !== null) store.write({ hardState: { ...hardState, recovering: true } });
  } catch (error) {
    const { code, message } = storeErrorFrom(error, 'Verifying it', name);
    if (code === 'corrupt') throw new Refusal('damaged', `${name} is damaged: ${message}`, error);
    throw error;
  } finally {
    store.close();
  }
  checkPages(database, name);
  return reportOfFile(database);
}

function checkPages(path: string, name: string): void {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const check = database.prepare('PRAGMA integrity_check(1)');
    const verdict = check.values()[0]?.[0];
    check.finalize();
    if (verdict !== 'ok') throw new Refusal('damaged', `${name} is damaged: ${String(verdict)}.`);
    database.run('PRAGMA journal_mode = delete');
  } finally {
    database.close();
  }
}
