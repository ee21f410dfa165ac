/**
 * The road back to op-conductor: its files are written beside our store, read again as a check, and put in
 * their places after our store has been renamed. Killed at any moment, either ours is still whole, or the
 * next call finishes; in between neither side can start.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { StoredState } from '#conductor/core/ports';
import { openDatabase } from '#conductor/adapters/sqlite/database';
import { databaseFileName, exportedSuffix, importedSuffix, syncDirectory } from '#conductor/adapters/sqlite/directory';
import { giveToOwnerOf } from '#conductor/adapters/sqlite/owner';
import { openStore, type SqliteStore } from '#conductor/adapters/sqlite/store';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { afterRollbacks, checkExport, type ExportSummary } from './export-check.ts';
import { writeGoFiles } from './export-files.ts';
import { openGoDirectory } from './go-directory.ts';
import { importGoStore, type ImportOptions } from './import-store.ts';
import {
  hasDatabase,
  isExportUnfinished,
  isImportUnfinished,
  kindOf,
  layoutOf,
  logFileName,
  snapshotsName,
  stableFileName,
  type Layout,
} from './layout.ts';
import { MigrationError, migrationErrorFrom } from './migration-error.ts';
import { putPlaceholder } from './retire.ts';

export interface ExportOptions extends ImportOptions {
  /** For the snapshot's name. */
  readonly unixMs: number;
}

/**
 * completed: an export that was interrupted has been finished. inPlace: op-conductor's files are there already, and nothing of
 * ours is: exported before, or never imported.
 */
export type ExportOutcome =
  | { readonly kind: 'completed' }
  | { readonly kind: 'inPlace' }
  | { readonly kind: 'exported' | 'checked'; readonly summary: ExportSummary };

/** Throws MigrationError or StoreError; our store is then as it was, unless the message says that an export is half done. */
export async function exportGoStore(options: ExportOptions): Promise<ExportOutcome> {
  try {
    return await exportFrom(layoutOf(resolve(options.directory)), options);
  } catch (error) {
    throw migrationErrorFrom(error, `Exporting ${options.directory}`);
  }
}

async function exportFrom(layout: Layout, options: ExportOptions): Promise<ExportOutcome> {
  const isDryRun = options.isDryRun === true;
  if (isExportUnfinished(layout)) {
    if (!isDryRun) finish(layout, options);
    return { kind: 'completed' };
  }
  if (!hasDatabase(layout)) {
    if (isOpConductors(layout)) return { kind: 'inPlace' };
    if (!isImportUnfinished(layout)) throw nothingToExport(layout);
    if (isDryRun) throw importUnfinished(layout);
    await importGoStore({ directory: layout.directory, serverId: options.serverId });
  }
  using store = openStore({ directory: layout.directory, serverId: options.serverId });
  const state = afterRollbacks(store, store.load());
  const summary = checkExport(store, state, layout.directory);
  if (isDryRun) return { kind: 'checked', summary };
  await stage(layout, store, state, options);
  store.close();
  handOver(layout, options);
  finish(layout, options);
  return { kind: 'exported', summary };
}

/** Writes Go's files beside ours, then reads them as an import would. */
async function stage(layout: Layout, store: SqliteStore, state: StoredState, options: ExportOptions): Promise<void> {
  rmSync(layout.exporting, { recursive: true, force: true });
  try {
    mkdirSync(layout.exporting, { mode: 0o700 });
    for (const progress of writeGoFiles(layout.exporting, store, state, options.unixMs)) {
      options.onProgress?.(progress);
      await setImmediate();
    }
    options.onStep?.('written');
    await verify(layout.exporting, state);
    giveToOwnerOf(layout.directory, [layout.exporting]);
  } catch (error) {
    rmSync(layout.exporting, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(layout.directory);
  options.onStep?.('complete');
}

async function verify(folder: string, { entries, snapshot }: StoredState): Promise<void> {
  using written = openGoDirectory(layoutOf(folder));
  let at = 0;
  for (const entry of written.entries()) {
    const expected = entries[entries.length - (written.plan.last - written.plan.first + 1) + at];
    if (expected?.index !== entry.index || expected.term !== entry.term || expected.size !== (entry.data?.length ?? 0))
      throw unverified(`entry ${entry.index}`);
    at += 1;
    await setImmediate();
  }
  if (written.plan.snapshot?.meta.index !== snapshot?.index) throw unverified('the snapshot');
}

/** From here on the exported files count: our store goes out of the way, and nothing of ours or Go's can start. */
function handOver(layout: Layout, options: ExportOptions): void {
  for (const path of [layout.log, layout.stable]) {
    if (kindOf(path) === 'absent') putPlaceholder(path);
    options.onStep?.('name taken');
  }
  const exported = layout.database + exportedSuffix;
  renameSync(layout.database, exported);
  syncDirectory(layout.directory);
  options.onStep?.('renamed');
  if (hasStartedSince(exported, options.serverId)) {
    renameSync(exported, layout.database);
    syncDirectory(layout.directory);
    throw new StoreError(
      'locked',
      `A conductor was started on ${layout.directory} during the export. Stop it and export again.`,
    );
  }
}

/** Did another process open our database between its closing and its renaming? */
function hasStartedSince(path: string, serverId: string): boolean {
  const hasLog = (): boolean => existsSync(`${path.slice(0, -exportedSuffix.length)}-wal`);
  try {
    openDatabase({ path, serverId }).close();
    return hasLog();
  } catch (error) {
    // Its database alone is refused where the other process was killed.
    if (error instanceof StoreError && (error.code === 'locked' || hasLog())) return true;
    throw error;
  }
}

/** Moves Go's files to their places; what has been moved before is skipped. The log comes last but one: without votes Go does not start. */
function finish(layout: Layout, options: ExportOptions): void {
  const moveIn = (name: string): void => {
    const from = join(layout.exporting, name);
    if (!existsSync(from)) return;
    const to = join(layout.directory, name);
    if (name === snapshotsName && existsSync(to)) {
      rmSync(to + importedSuffix, { recursive: true, force: true });
      renameSync(to, to + importedSuffix);
    }
    renameSync(from, to);
    syncDirectory(layout.directory);
    options.onStep?.(`${name} in place`);
  };
  for (const name of [snapshotsName, logFileName, stableFileName]) moveIn(name);
  rmSync(layout.exporting, { recursive: true, force: true });
}

/** Whether op-conductor can be started on it as it is. */
function isOpConductors(layout: Layout): boolean {
  return kindOf(layout.log) === 'bolt' && kindOf(layout.stable) === 'bolt';
}

function nothingToExport(layout: Layout): MigrationError {
  return new MigrationError(
    'unsuitable',
    `There is no ${databaseFileName} in ${layout.directory}, so there is nothing to export. Check --raft.storage.dir and --raft.server.id.`,
  );
}

function importUnfinished({ directory }: Layout): MigrationError {
  return new MigrationError(
    'unfinished',
    `An import of ${directory} was interrupted, and neither side may start on it yet. \`conductor import\` finishes it, and so does an export or a start. Move nothing away.`,
  );
}

function unverified(what: string): MigrationError {
  return new MigrationError(
    'io',
    `The exported files do not read back as written (${what}); the volume may be failing. Nothing was changed.`,
  );
}
