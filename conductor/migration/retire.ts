/**
 * Takes a bolt file out of op-conductor's reach without a moment in which it could start on old data or on
 * none: a second name for it, then bytes that make bolt refuse it (also one that already waits for the
 * lock), then a placeholder over the first name. Each step can be repeated after a crash.
 */
import { fsyncSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '#conductor/core/errors';
import { importedSuffix, syncDirectory } from '#conductor/adapters/sqlite/directory';
import { giveToOwnerOf } from '#conductor/adapters/sqlite/owner';
import { retirement } from './bolt-format.ts';
import { fileSource } from './byte-source.ts';
import { writeDurably, writeFully } from '#conductor/adapters/system/durable-files';
import type { LockedFile } from './file-lock.ts';
import { placeholder } from './layout.ts';
import { MigrationError, wipeAdvice } from './migration-error.ts';

/** Retires a locked bolt file; `onStep` is called between the steps. */
export function retire(file: LockedFile, onStep: (step: string) => void): void {
  const directory = dirname(file.path);
  const kept = file.path + importedSuffix;
  rmSync(kept, { force: true });
  try {
    linkSync(file.path, kept);
  } catch (error) {
    throw new MigrationError(
      'io',
      `Cannot give ${file.path} a second name (${messageOf(error)}), so it cannot be put aside safely. Use a file system with hard links. ${wipeAdvice}`,
      { cause: error },
    );
  }
  syncDirectory(directory);
  onStep('linked');
  const { offsets, bytes } = retirement(fileSource(file.path, file.descriptor));
  for (const offset of offsets) {
    writeFully(file.descriptor, bytes, offset);
    fsyncSync(file.descriptor);
    onStep('unmarked');
  }
  putPlaceholder(file.path);
  onStep('replaced');
}

/** Puts a file that bolt refuses under the name, whatever was there. */
export function putPlaceholder(path: string): void {
  const temporary = `${path}.placeholder`;
  writeDurably(temporary, placeholder, 0o600);
  giveToOwnerOf(dirname(path), [temporary]);
  renameSync(temporary, path);
  syncDirectory(dirname(path));
}
