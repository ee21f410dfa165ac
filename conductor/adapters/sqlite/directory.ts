/**
 * The directory of one server's store: made durable, private, and never begun afresh where
 * something says that this server has lived before (rule 8). Only names and the first bytes of
 * files are looked at here; the database itself is opened in database.ts.
 */
import { existsSync, fsyncSync, lstatSync, mkdirSync, readSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openFile } from '#conductor/adapters/system/open-file';
import { StoreError, restoreAdvice } from './store-error.ts';

/** Name of the database file in the server's directory. */
export const databaseFileName = 'conductor.db';

const legacyFileNames = ['raft-log.db', 'raft-stable.db'];
export const importedSuffix = '.imported';
export const exportedSuffix = '.exported';
const boltMagic = 0xed0cdaed;
/** A bolt meta page starts with a 16-byte page header; the second one lies a page (4 KiB and up) further. */
const boltMagicOffsets = [16, 4096 + 16, 8192 + 16, 16384 + 16, 65536 + 16];

/**
 * Creates the directory (mode 0700) if needed and returns the path of the database in it.
 * Throws StoreError 'legacy' beside op-conductor's files, 'corrupt' where our own main file is gone, 'io' where it cannot be made.
 */
export function prepareDirectory(directory: string): string {
  const path = join(resolve(directory), databaseFileName);
  try {
    createDurably(resolve(directory));
    refuseStrangeState(resolve(directory), path);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      'io',
      `Cannot use the storage directory ${directory}: ${String(error)}. The log has nowhere to live; create it or fix its permissions.`,
      error,
    );
  }
  return path;
}

/** SQLite keeps the log beside what a link points at. Throws StoreError 'io'; a folder of the path may be a link. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new StoreError(
    'io',
    `${path} is a symbolic link. Its write-ahead log is not beside it but beside the file that it points at, and without that log votes are missing. Put the file here, with the -wal if it has one, or link the whole directory instead.`,
  );
}

/** Makes new names in the directory survive a power cut. */
export function syncDirectory(directory: string): void {
  using opened = openFile(directory, 'r');
  fsyncSync(opened.descriptor);
}

function createDurably(directory: string): void {
  const topmostCreated = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (topmostCreated === undefined) return;
  const last = dirname(resolve(topmostCreated));
  for (let parent = dirname(directory); ; parent = dirname(parent)) {
    syncDirectory(parent);
    if (parent === last || parent === dirname(parent)) return;
  }
}

function refuseStrangeState(directory: string, path: string): void {
  const names = new Set(readdirSync(directory));
  const ours = existsSync(path) && statSync(path).size > 0;
  const wal = `${path}-wal`;
  if (!ours && existsSync(wal) && statSync(wal).size > 0) {
    throw new StoreError(
      'corrupt',
      `${wal} is there but its database ${databaseFileName} is missing or empty, so acknowledged entries are lost. ${restoreAdvice}`,
    );
  }
  const legacy = legacyFileNames.filter((name) => names.has(name));
  if (ours) {
    const valid = legacy.filter((name) => isBoltFile(join(directory, name)));
    if (valid.length === 0) return;
    throw new StoreError(
      'legacy',
      `${directory} holds both ${databaseFileName} and op-conductor's ${valid.join(' and ')}: there must be only one log, and it cannot be told which is current. Move away the one that is not.`,
    );
  }
  const valid = legacy.filter((name) => isBoltFile(join(directory, name)));
  if (valid.length > 0) {
    throw new StoreError(
      'legacy',
      `${directory} holds op-conductor's log (${valid.join(', ')}) and no ${databaseFileName}. Starting empty under an old identity could undo acknowledged commits. Take it over with \`conductor import\`, or by starting conductor; or remove this server from the cluster, move the directory away and add it again.`,
    );
  }
  const leftovers = [
    ...legacy,
    ...[...legacyFileNames.map((name) => name + importedSuffix), databaseFileName + exportedSuffix].filter((name) =>
      names.has(name),
    ),
  ];
  if (leftovers.length > 0) {
    throw new StoreError(
      'legacy',
      `${directory} shows that this server has lived before (${leftovers.join(', ')}) but ${databaseFileName} is gone. Starting empty under an old identity could undo acknowledged commits. ${restoreAdvice}`,
    );
  }
}

function isBoltFile(path: string): boolean {
  using file = openFile(path, 'r');
  const word = new Uint8Array(4);
  return boltMagicOffsets.some(
    (offset) =>
      readSync(file.descriptor, word, 0, 4, offset) === 4 && new DataView(word.buffer).getUint32(0, true) === boltMagic,
  );
}
