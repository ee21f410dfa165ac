/**
 * The lock that bolt takes on its file: flock(LOCK_EX), held as long as the descriptor is open. Neither Bun
 * nor Node offers it, so libc is called directly. It keeps a Go process out, and tells whether one is in.
 */
import { closeSync, openSync } from 'node:fs';
import { cLibrary } from '#conductor/adapters/system/c-library';
import { messageOf } from '#conductor/core/errors';
import { MigrationError } from './migration-error.ts';

const LOCK_EXCLUSIVE_NOW = 2 | 4;
const symbols = { flock: { args: ['int', 'int'], returns: 'int' } } as const;

/** An open, locked file. */
export interface LockedFile {
  readonly path: string;
  readonly descriptor: number;
  /** Closes the file and so drops the lock. */
  release(): void;
}

/** Opens for reading and writing. Throws MigrationError 'in-use' when another process has the lock. */
export function lockFile(path: string): LockedFile {
  const descriptor = openSync(path, 'r+');
  let isHeld = false;
  try {
    isHeld = flock()(descriptor, LOCK_EXCLUSIVE_NOW) === 0;
  } finally {
    if (!isHeld) closeSync(descriptor);
  }
  if (isHeld) return { path, descriptor, release: () => closeSync(descriptor) };
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
