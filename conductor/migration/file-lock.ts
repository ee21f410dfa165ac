/**
 * The lock that bolt takes on its file: flock(LOCK_EX), held as long as the descriptor is open. Neither Bun
 * nor Node offers it, so libc is called directly. It keeps a Go process out, and tells whether one is in.
 */
import { cLibrary } from '#conductor/adapters/system/c-library';
import { openFile, type OpenFile } from '#conductor/adapters/system/open-file';
import { messageOf } from '#conductor/core/errors';
import { MigrationError } from './migration-error.ts';

const LOCK_EXCLUSIVE_NOW = 2 | 4;
const symbols = { flock: { args: ['int', 'int'], returns: 'int' } } as const;

/** An open, locked file; closing it drops the lock. */
export interface LockedFile extends OpenFile {
  readonly path: string;
}

/** Opens for reading and writing. Throws MigrationError 'in-use' when another process has the lock. */
export function lockFile(path: string): LockedFile {
  using unheld = new DisposableStack();
  const file = unheld.use(openFile(path, 'r+'));
  if (flock()(file.descriptor, LOCK_EXCLUSIVE_NOW) === 0) {
    unheld.move();
    return { path, ...file };
  }
  throw new MigrationError(
    'in-use',
    `${path} is locked: op-conductor, or another import, is running on it. Stop it first; two servers with one log could undo acknowledged commits.`,
  );
}

let loaded: ((descriptor: number, operation: number) => number) | null = null;

function flock(): (descriptor: number, operation: number) => number {
  loaded ??= load();
  return loaded;
}

function load(): (descriptor: number, operation: number) => number {
  try {
    return cLibrary(symbols).flock;
  } catch (error) {
    throw new MigrationError(
      'io',
      `Cannot tell whether op-conductor is running on its files, because ${messageOf(error)}.`,
    );
  }
}
