/**
 * Reads a store to its last byte without changing it: the checksum of every entry, then SQLite's own check of the
 * pages. Every copy is read so before it counts, and a dry run reads so what would be copied.
 */
import type { Database } from 'bun:sqlite';
import { setImmediate } from 'node:timers/promises';
import { readValue } from '#conductor/adapters/sqlite/database';
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
  /** No more data than that is read: that of the newest entries, and SQLite's check is left out; all of it unless given. */
  readonly bytesMax?: number;
}

/** How many entries were read, of how many. */
export interface Verified {
  readonly read: number;
  readonly of: number;
}

/** Rejects with Refusal 'damaged' for the first thing that is wrong, and with StoreError where the disk fails. */
export async function verifyStore(
  database: Database,
  { name, signal, bytesMax = Infinity }: VerifyOptions,
): Promise<Verified> {
  using log = new LogTable(database, name);
  using state = new StateTable(database, name);
  try {
    const heads = log.heads(state.get()?.firstIndex ?? 0);
    let [read, bytes, sinceLook] = [0, 0, 0];
    for (const { index, size } of heads.toReversed()) {
      bytes += size;
      if (bytes > bytesMax) break;
      log.read(index);
      read += 1;
      sinceLook += size;
      if (sinceLook < stepBytes) continue;
      sinceLook = 0;
      await setImmediate();
      signal?.throwIfAborted();
    }
    if (bytesMax === Infinity) verifyPages(database, name);
    return { read, of: heads.length };
  } catch (error) {
    throw damageFrom(error, name);
  }
}

function verifyPages(database: Database, name: string): void {
  const verdict = readValue(database, 'PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw new Refusal('damaged', `${name} is damaged: ${String(verdict)}.`);
}

/** Damage as a Refusal; any other error as it is. */
export function damageFrom(error: unknown, name: string): unknown {
  if (error instanceof Refusal) return error;
  const { code, message } = storeErrorFrom(error, 'Verifying it', name);
  return code === 'corrupt' ? new Refusal('damaged', `${name} is damaged: ${message}`, error) : error;
}
