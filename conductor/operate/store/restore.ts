/**
 * Puts a backup back as the store of a stopped server. A restored store is an old one: since it was copied the
 * server may have voted and acknowledged entries, and it has forgotten both. So it comes back as a new store does
 * (rule 9): its log is kept, and it neither votes nor campaigns until a leader has brought it up to date.
 *
 * Killed at any moment, the directory holds the old store whole, or nothing that a conductor could start on but a
 * new store, or the restored one. Running it again goes on.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { databaseFileName } from '#conductor/adapters/sqlite/directory';
import { giveToOwnerOf } from '#conductor/adapters/sqlite/owner';
import { requireSpace, spaceRefusalFrom } from './disk-space.ts';
import { Refusal } from './refusal.ts';
import { keptName, mustPutAside, putAside } from './replaced-store.ts';
import { Staging } from './staging.ts';
import { reportOfFile, verifyFile, type StoreReport } from './store-report.ts';
import { sealCopy } from './seal-copy.ts';

export interface RestoreOptions {
  /** The backup. It is only read. */
  readonly file: string;
  /** `<storage.dir>/<server.id>`; made where it is not there. */
  readonly directory: string;
  readonly serverId: string;
  /** Put the store that is there aside. */
  readonly isReplacing?: boolean;
  /** Say whether it could be done, for which all of the backup is read; change nothing. */
  readonly isDryRun?: boolean;
  /** Ends it early, without a trace; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each point where a crash leaves a new state. */
  readonly onStep?: (step: string) => void;
}

export interface RestoreOutcome {
  readonly database: string;
  readonly report: StoreReport;
  /** Where the store that was there is now; null where there was none. */
  readonly keptAs: string | null;
}

/** Rejects with Refusal, StoreError or MigrationError; the directory is then as it was, unless the message says otherwise. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreOutcome> {
  const directory = resolve(options.directory);
  const database = join(directory, databaseFileName);
  const held = inspectBackup(options.file, options.serverId);
  const isThere = mustPutAside(directory, options);
  const keptAs = isThere ? keptName(database) : null;
  const bytes = statSync(options.file).size;
  if (existsSync(directory)) requireSpace(directory, bytes, 'Restoring');
  if (options.isDryRun === true) {
    await verifyFile(options.file, options.signal);
    return { database, report: held, keptAs };
  }
  makeFolder(directory);
  const staging = new Staging(database);
  try {
    copyFileSync(options.file, staging.database);
    // Whatever the backup was: archives are often read-only, and others' to read.
    chmodSync(staging.database, 0o600);
    giveToOwnerOf(directory, [staging.database]);
    options.onStep?.('copied');
    const report = await sealCopy({
      directory: staging.folder,
      database: staging.database,
      name: options.file,
      signal: options.signal,
    });
    options.onStep?.('verified');
    if (keptAs !== null) putAside(database, keptAs, options);
    options.onStep?.('old store aside');
    staging.publish();
    return { database, report, keptAs };
  } catch (error) {
    staging.remove();
    throw spaceRefusalFrom(error, directory, 'The restored store');
  }
}

/** With its parents, all of them their neighbours'. */
function makeFolder(directory: string): void {
  const topmost = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = directory; ; made = dirname(made)) {
    giveToOwnerOf(dirname(topmost), [made]);
    if (made === topmost) return;
  }
}

function inspectBackup(file: string, serverId: string): StoreReport {
  if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false))
    throw new Refusal('missing', `${file} is no file. Name a file that \`conductor backup\` made.`);
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Refusal(
      'foreign',
      `${file} has ${file}-wal beside it, so it is a store in use, or a copy of one made by other means: newer entries lie in that second file. Name a file that \`conductor backup\` made.`,
    );
  const report = reportOfFile(file);
  if (report.serverId === serverId) return report;
  throw new Refusal(
    'identity',
    `${file} is a backup of server ${JSON.stringify(report.serverId)}, not of ${JSON.stringify(serverId)}: two servers with one vote record could elect two leaders. Restore it as that server, or let ${JSON.stringify(serverId)} start empty: it gets the log from the others.`,
  );
}
