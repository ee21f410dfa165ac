/**
 * Copies a store from under a running conductor, without its help and without stopping it. The conductor keeps
 * SQLite's lock for itself, so its files are read as bytes: first the database, then its write-ahead log. That is
 * consistent when the log was not begun anew meanwhile, for then every page that was copied back into the database
 * during the reading is still in the log, and opening the copy puts it right (sqlite.org/wal.html). Otherwise the
 * database is gone through again; later passes write only what has changed, from memory, and are quick.
 */
import { existsSync, fstatSync, fsyncSync, ftruncateSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { writeFully } from '#conductor/adapters/system/durable-files';
import { openFile } from '#conductor/adapters/system/open-file';
import { presentBytes, walHeader } from '#conductor/adapters/sqlite/write-ahead-log';
import { Refusal } from './refusal.ts';

const chunkBytes = 1024 * 1024;
/** Passes over the database before giving up; a log is begun anew every few seconds at most. */
const passesMax = 20;

/** How far a pass is, in bytes of the database. */
export interface CopyProgress {
  readonly pass: number;
  readonly bytes: number;
  readonly ofBytes: number;
}

export interface CopyOptions {
  /** Path of the database; its log is beside it. */
  readonly from: string;
  /** Path of the copy, which must not exist. */
  readonly to: string;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** Ends it early; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between the reading of the database and that of its log. */
  readonly onStep?: ((step: string) => void) | undefined;
}

/** Resolves with the passes it took; rejects with Refusal when the store changes faster than it can be read. */
export async function copyStore({ from, to, onProgress, signal, onStep }: CopyOptions): Promise<number> {
  using source = openFile(from, 'r');
  using target = openFile(to, 'wx+', 0o600);
  for (let pass = 1; pass <= passesMax; pass += 1) {
    const before = generation(from);
    await copyChanged(source.descriptor, target.descriptor, (bytes, ofBytes) => {
      signal?.throwIfAborted();
      onProgress?.({ pass, bytes, ofBytes });
    });
    onStep?.('database copied');
    copyLog(`${from}-wal`, `${to}-wal`);
    if (generation(from) !== before) continue;
    fsyncSync(target.descriptor);
    return pass;
  }
  throw new Refusal(
    'running',
    `${from} changed during each of ${passesMax} attempts to read it: more is written than this disk can copy. Try again when less is written, or stop the conductor for the backup.`,
  );
}

/** Differs whenever the log was begun anew, or the database replaced, or written without a log. */
function generation(database: string): string {
  const header = walHeader(`${database}-wal`);
  const { ino, size, mtimeNs } = statSync(database, { bigint: true });
  return header === null ? `${ino} ${size} ${mtimeNs}` : `${ino} ${Buffer.from(header).toString('hex')}`;
}

async function copyChanged(
  source: number,
  target: number,
  onChunk: (bytes: number, ofBytes: number) => void,
): Promise<void> {
  const fresh = Buffer.allocUnsafe(chunkBytes);
  const held = Buffer.allocUnsafe(chunkBytes);
  let at = 0;
  for (;;) {
    const bytes = readSync(source, fresh, 0, chunkBytes, at);
    if (bytes === 0) break;
    const same = readSync(target, held, 0, bytes, at) === bytes && fresh.compare(held, 0, bytes, 0, bytes) === 0;
    if (!same) writeFully(target, fresh.subarray(0, bytes), at);
    at += bytes;
    onChunk(at, fstatSync(source).size);
    // Signals are heard, and the conductor beside us gets the disk now and then.
    await setImmediate();
  }
  ftruncateSync(target, at);
}

/**
 * Frames count up to the first that is not of this generation. All but the last of them are whole: they are
 * written one after the other. A torn last one ends SQLite's recovery, as after a crash.
 */
function copyLog(from: string, to: string): void {
  using target = openFile(to, 'w', 0o600);
  if (!existsSync(from)) return;
  const bytesPresent = presentBytes(from);
  using source = openFile(from, 'r');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; at < bytesPresent;) {
    const bytes = readSync(source.descriptor, chunk, 0, Math.min(chunkBytes, bytesPresent - at), at);
    if (bytes === 0) break;
    writeFully(target.descriptor, chunk.subarray(0, bytes), at);
    at += bytes;
  }
  fsyncSync(target.descriptor);
}
