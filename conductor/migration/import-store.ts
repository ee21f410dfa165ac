/**
 * Takes over op-conductor's directory (rule 8). The new store is written beside Go's files and becomes ours
 * by one rename, after Go's have been put out of its reach; killed at any moment, the next call either
 * begins again (Go's log is still whole) or goes on (it is not).
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SnapshotMeta } from '#conductor/core/raft/types';
import { databaseFileName, importedSuffix, syncDirectory } from '#conductor/adapters/sqlite/directory';
import { giveToOwnerOf } from '#conductor/adapters/sqlite/owner';
import { addressWarnings } from './address-warnings.ts';
import { lockFile } from './file-lock.ts';
import { copyInto, openGoDirectory, type CopyProgress, type OpenGoDirectory } from './go-directory.ts';
import {
  hasDatabase,
  isExportUnfinished,
  isImportUnfinished,
  kindOf,
  layoutOf,
  logFileName,
  stableFileName,
  type Layout,
} from './layout.ts';
import { MigrationError, migrationErrorFrom, wipeAdvice } from './migration-error.ts';
import { retire } from './retire.ts';

export interface ImportOptions {
  /** `<storage.dir>/<server.id>`. */
  readonly directory: string;
  readonly serverId: string;
  /** Read and check everything, change nothing. */
  readonly isDryRun?: boolean;
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Called at each point where a crash leaves a new state. */
  readonly onStep?: (step: string) => void;
}

/** What was found in op-conductor's files. */
export interface ImportSummary {
  readonly term: number;
  readonly votedTerm: number;
  readonly snapshot: SnapshotMeta | null;
  /** null for an empty log. */
  readonly firstIndex: number | null;
  readonly lastIndex: number | null;
  readonly dataBytes: number;
  readonly warnings: readonly string[];
}

/** none: no store of either kind. present: ours is there. completed: an import that was interrupted has been finished. */
export type ImportOutcome =
  | { readonly kind: 'none' | 'present' | 'completed' }
  | { readonly kind: 'imported' | 'checked'; readonly summary: ImportSummary };

/** Throws MigrationError or StoreError; Go's files are then as they were, unless the message says that an import is half done. */
export async function importGoStore(options: ImportOptions): Promise<ImportOutcome> {
  try {
    return await importFrom(layoutOf(resolve(options.directory)), options);
  } catch (error) {
    throw migrationErrorFrom(error, `Importing from ${options.directory}`);
  }
}

async function importFrom(layout: Layout, options: ImportOptions): Promise<ImportOutcome> {
  const isDryRun = options.isDryRun === true;
  const log = kindOf(layout.log);
  const stable = kindOf(layout.stable);
  if (hasDatabase(layout)) {
    if (log === 'bolt' || stable === 'bolt') throw ambiguous(layout);
    if (!isDryRun) rmSync(layout.importing, { recursive: true, force: true });
    return { kind: 'present' };
  }
  if (isExportUnfinished(layout)) throw exportUnfinished(layout);
  if (isImportUnfinished(layout)) {
    if (!isDryRun) finish(layout, null, options);
    return { kind: 'completed' };
  }
  if (log !== 'bolt' && stable !== 'bolt') return { kind: 'none' };
  if (log !== 'bolt' || stable !== 'bolt') throw incomplete(layout, log === 'bolt' ? layout.stable : layout.log);
  return takeOver(layout, options);
}

async function takeOver(layout: Layout, options: ImportOptions): Promise<ImportOutcome> {
  using source = openGoDirectory(layout);
  const dataBytes = options.isDryRun === true ? await readThrough(source) : await copy(layout, source, options);
  const summary = summarize(source, dataBytes);
  if (options.isDryRun === true) return { kind: 'checked', summary };
  finish(layout, source, options);
  return { kind: 'imported', summary };
}

/** Checks every entry and keeps none. */
async function readThrough(source: OpenGoDirectory): Promise<number> {
  let bytes = 0;
  for (const entry of source.entries()) {
    bytes += entry.data?.length ?? 0;
    await setImmediate();
  }
  return bytes;
}

/** Writes our store beside Go's; it stays open to signals. */
async function copy(layout: Layout, source: OpenGoDirectory, options: ImportOptions): Promise<number> {
  let bytes = 0;
  // What earlier moves left: an incomplete copy, an empty folder.
  for (const folder of [layout.importing, layout.exporting]) rmSync(folder, { recursive: true, force: true });
  try {
    for (const progress of copyInto(layout.importing, options.serverId, source)) {
      bytes = progress.bytes;
      options.onProgress?.(progress);
      options.onStep?.('copied');
      await setImmediate();
    }
    giveToOwnerOf(layout.directory, [layout.importing]);
  } catch (error) {
    rmSync(layout.importing, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(layout.importing);
  options.onStep?.('complete');
  return bytes;
}

/** From a complete copy to the end; each step may have been done before. Without `source` Go's locks are taken here. */
function finish(layout: Layout, source: OpenGoDirectory | null, options: ImportOptions): void {
  const onStep = (step: string): void => options.onStep?.(step);
  for (const path of [layout.log, layout.stable]) {
    if (kindOf(path) === 'placeholder') continue;
    using locks = new DisposableStack();
    const held = path === layout.log ? source?.log : source?.stable;
    retire(held ?? locks.use(lockFile(path)), onStep);
  }
  if (existsSync(layout.snapshots)) {
    rmSync(layout.snapshots + importedSuffix, { recursive: true, force: true });
    renameSync(layout.snapshots, layout.snapshots + importedSuffix);
    onStep('snapshots put aside');
  }
  renameSync(join(layout.importing, databaseFileName), layout.database);
  syncDirectory(layout.directory);
  onStep('renamed');
  rmSync(layout.importing, { recursive: true, force: true });
}

function summarize({ plan, membership }: OpenGoDirectory, dataBytes: number): ImportSummary {
  const isEmpty = plan.last < plan.first;
  return {
    term: plan.hardState?.term ?? 0,
    votedTerm: plan.hardState?.votedTerm ?? 0,
    snapshot: plan.snapshot?.meta ?? null,
    firstIndex: isEmpty ? null : plan.first,
    lastIndex: isEmpty ? null : plan.last,
    dataBytes,
    warnings: [...plan.warnings, ...addressWarnings(membership())],
  };
}

function ambiguous({ directory }: Layout): MigrationError {
  return new MigrationError(
    'ambiguous',
    `${directory} holds both ${databaseFileName} and op-conductor's log, and it cannot be told which is current. If op-conductor ran last, move ${databaseFileName} (and ${databaseFileName}-wal) away and start again to import its log; if conductor ran last, move ${logFileName} and ${stableFileName} away. ${wipeAdvice}`,
  );
}

function incomplete({ directory }: Layout, missing: string): MigrationError {
  return new MigrationError(
    'incomplete',
    `${directory} holds only one of op-conductor's two files: ${missing} is missing or no bolt file. Log and votes go together; put back the one that belongs to the other. ${wipeAdvice}`,
  );
}

function exportUnfinished({ directory }: Layout): MigrationError {
  return new MigrationError(
    'unfinished',
    `An export of ${directory} was interrupted, and neither side may start on it. Run \`conductor export\` again to finish it.`,
  );
}
