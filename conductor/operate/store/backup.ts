/**
 * A backup: a copy of one server's store as a single file, taken beside the running conductor, read to its last
 * byte before it gets its name. It is written nowhere else than in its own folder and never over anything.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { kindOf, layoutOf } from '#conductor/migration/layout';
import { databaseFileName, refuseLink } from '#conductor/adapters/sqlite/directory';
import { copyStore, type CopyProgress } from './copy-store.ts';
import { requireSpace, spaceRefusalFrom } from './disk-space.ts';
import { Refusal } from './refusal.ts';
import { alreadyThere, Staging } from './staging.ts';
import type { StoreReport } from './store-report.ts';
import { sealCopy } from './seal-copy.ts';

export interface BackupOptions {
  /** `<storage.dir>/<server.id>`. */
  readonly directory: string;
  /** Path of the backup; its folder must be there. */
  readonly to: string;
  /** Say whether it could be done, change nothing. */
  readonly isDryRun?: boolean;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** Ends it early, without a trace; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each point where a crash leaves a new state. */
  readonly onStep?: (step: string) => void;
}

export interface BackupOutcome {
  readonly path: string;
  readonly bytes: number;
  /** null for a dry run, which reads nothing. */
  readonly report: StoreReport | null;
}

/** Rejects with Refusal or StoreError; the store is untouched then, and there is no backup. */
export async function createBackup(options: BackupOptions): Promise<BackupOutcome> {
  const { directory, onProgress, signal, onStep } = options;
  const path = resolve(options.to);
  const from = databaseIn(resolve(directory));
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Refusal('missing', `${folder}, where the backup is to go, is no folder. Make it, or name another one.`);
  if (existsSync(path)) throw alreadyThere(path);
  // The copy's log is copied back into it while it is verified.
  requireSpace(folder, sizeOf(from) + 2 * sizeOf(`${from}-wal`), 'The backup');
  if (options.isDryRun === true) return { path, bytes: sizeOf(from), report: null };
  const staging = new Staging(path);
  try {
    onStep?.('begun');
    await copyStore({ from, to: staging.database, onProgress, signal, onStep });
    onStep?.('copied');
    const report = await sealCopy({
      directory: staging.folder,
      database: staging.database,
      name: `the copy of ${from}`,
      signal,
    });
    onStep?.('verified');
    staging.publish();
    return { path, bytes: sizeOf(path), report };
  } catch (error) {
    staging.remove();
    throw spaceRefusalFrom(error, folder, 'The backup');
  }
}

/** The database in a server's directory; throws Refusal where there is none of ours, and StoreError for a link. */
function databaseIn(directory: string): string {
  const path = join(directory, databaseFileName);
  refuseLink(path);
  if (sizeOf(path) > 0) return path;
  const layout = layoutOf(directory);
  if (kindOf(layout.log) === 'bolt')
    throw new Refusal(
      'foreign',
      `${directory} holds op-conductor's files. Stop op-conductor and copy the whole folder, or take it over with \`conductor import\` first.`,
    );
  throw new Refusal(
    'missing',
    `There is no ${databaseFileName} in ${directory}. Name the folder <raft.storage.dir>/<raft.server.id> of the server.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
