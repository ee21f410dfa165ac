/**
 * Reads a store to its last byte without changing it: the checksum of every entry, then SQLite's own check of the
 * pages. Every copy is read so before it counts, and a dry run reads so what would be copied.
 */
import type { Database } from 'bun:sqlite';
import { setImmediate } from 'node:timers/promises';
import { LogTable } from '#conductor/adapters/sqlite/log-table';
import { StateTable } from '#conductor/adapters/sqlite/state-table';
import { storeErrorFrom } from '#conductor/adapters/sqlite/store-error';
import { Refusal } from './refusal.ts';

/** Data read between two looks at signals. */
const stepBytes = 8 * 1024 * 1024;

export interface VerifyOptions {
  /** What people know the store as, for messages. */
  readonly name: string;
  /** Ends it early; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Rejects with Refusal 'damaged' for the first thing that is wrong, and with StoreError where the disk fails. */
export async function verifyStore(database: Database, { name, signal }: VerifyOptions): Promise<void> {
  const log = new LogTable(database, name);
  const state = new StateTable(database, name);
  try {
    let bytes = 0;
    for (const { index, size } of log.heads(state.get()?.firstIndex ?? 0)) {
      log.read(index);
      bytes += size;
      if (bytes < stepBytes) continue;
      bytes = 0;
      await setImmediate();
      signal?.throwIfAborted();
    }
    verifyPages(database, name);
  } catch (error) {
    throw damageFrom(error, name);
  } finally {
    log.finalize();
    state.finalize();
  }
}

function verifyPages(database: Database, name: string): void {
  const check = database.prepare('PRAGMA integrity_check(1)');
  try {
    const verdict = check.values()[0]?.[0];
    if (verdict !== 'ok') throw new Refusal('damaged', `${name} is damaged: ${String(verdict)}.`);
  } finally {
    check.finalize();
  }
}

/** Damage as a Refusal; any other error as it is. */
export function damageFrom(error: unknown, name: string): unknown {
  if (error instanceof Refusal) return error;
  const { code, message } = storeErrorFrom(error, 'Verifying it', name);
  return code === 'corrupt' ? new Refusal('damaged', `${name} is damaged: ${message}`, error) : error;
}
