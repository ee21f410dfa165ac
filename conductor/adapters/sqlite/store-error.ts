/**
 * The one error the store throws for what the disk or its content does. Programmer errors
 * (a batch that is not contiguous) are assertions instead. After a failed write the process
 * must stop serving (rule 15); the code says what an operator has to look at.
 */
import { SQLiteError } from 'bun:sqlite';

/**
 * disk-full: no space, or the configured bound is reached. io: the disk or the file system failed.
 * corrupt: content is not what was written. locked: another process has it open.
 * version: written by a newer release. identity: belongs to another server.
 * legacy: op-conductor's own files are in the directory. failed: an earlier write failed.
 */
export type StoreErrorCode = 'disk-full' | 'io' | 'corrupt' | 'locked' | 'version' | 'identity' | 'legacy' | 'failed';

/** Says what happened, why it matters and what to do; `cause` holds SQLite's own error if there is one. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** What to do about a store whose content cannot be trusted. */
export const restoreAdvice =
  'Restore this server from its peers: remove it from the cluster, move its directory away, start it empty and add it again.';

/** Turns what SQLite threw while `doing` something to the file at `path` into a StoreError; a StoreError stays as it is. */
export function storeErrorFrom(thrown: unknown, doing: string, path: string): StoreError {
  if (thrown instanceof StoreError) return thrown;
  const detail = thrown instanceof SQLiteError ? `${thrown.message} (${thrown.code ?? thrown.errno})` : String(thrown);
  const code = codeOf(thrown);
  return new StoreError(code, `${doing} failed at ${path}: ${detail}. ${adviceFor(code)}`, thrown);
}

function codeOf(thrown: unknown): StoreErrorCode {
  const code = thrown instanceof SQLiteError ? (thrown.code ?? '') : '';
  if (code.startsWith('SQLITE_FULL')) return 'disk-full';
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) return 'corrupt';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'locked';
  return 'io';
}

function adviceFor(code: StoreErrorCode): string {
  switch (code) {
    case 'disk-full':
      return 'Nothing of this write is stored and what was acknowledged before is safe. Free space on the volume and start again.';
    case 'corrupt':
      return `The file is damaged, so votes and entries in it cannot be trusted. ${restoreAdvice}`;
    case 'locked':
      return 'Two processes on one store would lose entries. Stop the other conductor, or give each its own storage directory.';
    default:
      return 'What reached the disk is unknown, so the server must stop. Check the volume, its permissions and the kernel log, then start again.';
  }
}
