/**
 * The names of both stores in a server's directory, and what stands under them. Moving between the two
 * goes through folders that become visible by renames, so that each name says how far a move has come.
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFileName, exportedSuffix } from '#conductor/adapters/sqlite/directory';
import { openFile } from '#conductor/adapters/system/open-file';
import { boltKind } from './bolt-format.ts';
import { fileSource } from './byte-source.ts';
import { MigrationError } from './migration-error.ts';

export const logFileName = 'raft-log.db';
export const stableFileName = 'raft-stable.db';
export const snapshotsName = 'snapshots';

/** Paths in the directory of one server. */
export interface Layout {
  readonly directory: string;
  readonly database: string;
  readonly log: string;
  readonly stable: string;
  readonly snapshots: string;
  /** Our store while an import writes it; complete once the log is retired. */
  readonly importing: string;
  /** op-conductor's files while an export writes them; complete once our database has been renamed. */
  readonly exporting: string;
}

export function layoutOf(directory: string): Layout {
  return {
    directory,
    database: join(directory, databaseFileName),
    log: join(directory, logFileName),
    stable: join(directory, stableFileName),
    snapshots: join(directory, snapshotsName),
    importing: join(directory, 'conductor.importing'),
    exporting: join(directory, 'conductor.exporting'),
  };
}

/** Ours is there and was written to. */
export function hasDatabase(layout: Layout): boolean {
  return (lstatSync(layout.database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** An export renamed our database and has not put all of op-conductor's files into their places yet. */
export function isExportUnfinished(layout: Layout): boolean {
  const isStaged = existsSync(join(layout.exporting, stableFileName));
  return !hasDatabase(layout) && isStaged && existsSync(layout.database + exportedSuffix);
}

/** An import has begun to put op-conductor's log out of its reach, and our store, complete, has not got its name yet. */
export function isImportUnfinished(layout: Layout): boolean {
  const log = kindOf(layout.log);
  return (log === 'unmarked' || log === 'placeholder') && existsSync(join(layout.importing, databaseFileName));
}

/** What stands under a name of op-conductor: bolt opens only the first. */
export type NameKind =
  | 'bolt'
  /** A bolt file whose marks were taken away by an import that was then interrupted. */
  | 'unmarked'
  | 'placeholder'
  | 'absent'
  | 'other';

/** Throws MigrationError for a folder, pipe or device. */
export function kindOf(path: string): NameKind {
  if (!existsSync(path)) return 'absent';
  if (!statSync(path).isFile())
    // Not opened: a pipe would be waited for.
    throw new MigrationError(
      'unsuitable',
      `${path} is no regular file, so it cannot be op-conductor's log or state. Look who put it there, and move it away.`,
    );
  using file = openFile(path, 'r');
  const source = fileSource(path, file.descriptor);
  const start = source.read(0, Math.min(source.size, placeholder.length));
  return Buffer.compare(start, placeholder) === 0 ? 'placeholder' : boltKind(source);
}

/** What is left under op-conductor's names; bolt calls it an invalid database. */
export const placeholder: Uint8Array = new TextEncoder().encode(
  'conductor took over this raft log; its current state is in conductor.db beside this file.\n' +
    'To go back to op-conductor, stop conductor and run `conductor export`. Do not remove this file:\n' +
    'op-conductor would start empty under an old identity and could undo acknowledged commits.\n',
);
