/**
 * Puts a backup back as the store of a stopped server. A restored store is an old one: since it was copied the
 * server may have voted and acknowledged entries, and it has forgotten both. So it comes back as a new store does
 * (rule 9): its log is kept, and it neither votes nor campaigns until a leader has brought it up to date.
 *
 * Killed at any moment, the directory holds the old store whole, or nothing that a conductor could start on but a
 * new store, or the restored one. Running it again goes on.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isExportUnfinished, kindOf, layoutOf } from '#conductor/adapters/boltdb/layout';
import { openDatabase } from '#conductor/adapters/sqlite/database';
import { databaseFileName, syncDirectory } from '#conductor/adapters/sqlite/directory';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { requireSpace, spaceRefusalFrom } from './disk-space.ts';
import { Refusal } from './refusal.ts';
import { Staging } from './staging.ts';
import { reportOfFile, type StoreReport } from './store-report.ts';
import { verifyStore } from './verify-store.ts';

/** How every file of SQLite begins. */
const databaseMark = Buffer.from('SQLite format 3\0');
const keptSuffix = '.before-restore';

export interface RestoreOptions {
  /** The backup. It is only read. */
  readonly file: string;
  /** `<storage.dir>/<server.id>`; made where it is not there. */
  readonly directory: string;
  readonly serverId: string;
  /** Put the store that is there aside. */
  readonly isReplacing?: boolean;
  /** Say whether it could be done, change nothing. */
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
  const isThere = inspectDirectory(directory, options);
  const keptAs = isThere ? freeName(database) : null;
  const bytes = statSync(options.file).size;
  if (existsSync(directory)) requireSpace(directory, bytes, 'Restoring');
  if (options.isDryRun === true) return { database, report: held, keptAs };
  makeFolder(directory);
  const staging = new Staging(database);
  try {
    copyFileSync(options.file, staging.database);
    // Whatever the backup was: archives are often read-only, and others' to read.
    chmodSync(staging.database, 0o600);
    giveToOwnerOf(directory, [staging.database]);
    options.onStep?.('copied');
    const report = await verifyStore({
      directory: staging.folder,
      database: staging.database,
      name: options.file,
      signal: options.signal,
      // Never written to is as good as new already.
      change: (store, hardState) => {
        if (hardState !== null) store.write({ hardState: { ...hardState, recovering: true } });
      },
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

/** Restored by root, a store must still be its conductor's, who is another user. */
function giveToOwnerOf(folder: string, paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const path of paths) chownSync(path, uid, gid);
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

/** Whether there is a store of ours to put aside; throws Refusal where there is something that may not be replaced. */
function inspectDirectory(directory: string, { serverId, isReplacing }: RestoreOptions): boolean {
  const layout = layoutOf(directory);
  if (kindOf(layout.log) === 'bolt' || kindOf(layout.stable) === 'bolt')
    throw new Refusal(
      'foreign',
      `${directory} holds op-conductor's log, which may be newer than the backup. Take it over with \`conductor import\`, or move it away.`,
    );
  if (existsSync(layout.importing) || isExportUnfinished(layout))
    throw new Refusal(
      'foreign',
      `In ${directory} an import from op-conductor, or an export to it, was interrupted, and what it moves is newer than any backup. Finish it first: run \`conductor import\` or \`conductor export\` again.`,
    );
  const isThere = [layout.database, `${layout.database}-wal`].some(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (!isThere) return false;
  refuseRunning(layout.database, serverId);
  if (isReplacing === true) return true;
  throw new Refusal(
    'exists',
    `${directory} holds a store, which is newer than any backup of it. Keep it if it works. To put it aside and restore the backup, add --replace.`,
  );
}

/** A store that is damaged may be replaced, one that is open may not, nor one of another server. */
function refuseRunning(database: string, serverId: string): void {
  if (!isDatabase(database)) return;
  try {
    openDatabase({ path: database, serverId }).close();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'locked')
      throw new Refusal('running', `A conductor is running on ${database}. Stop it before restoring.`, error);
    if (error.code === 'identity') throw new Refusal('identity', error.message, error);
  }
}

/** By its first bytes. SQLite would remove the log beside a file that is none, and somebody may still want to read it. */
function isDatabase(path: string): boolean {
  if (!existsSync(path)) return false;
  const start = Buffer.alloc(databaseMark.length);
  const descriptor = openSync(path, 'r');
  try {
    return readSync(descriptor, start, 0, start.length, 0) === start.length && start.equals(databaseMark);
  } finally {
    closeSync(descriptor);
  }
}

/** The database first: its log without it is refused at a start, while a database without its log is an older store. */
function putAside(database: string, keptAs: string, { serverId, onStep }: RestoreOptions): void {
  const directory = resolve(database, '..');
  if (existsSync(database)) renameSync(database, keptAs);
  syncDirectory(directory);
  onStep?.('database aside');
  try {
    // A conductor that was started since we looked has it open under its new name.
    if (existsSync(keptAs)) refuseRunning(keptAs, serverId);
  } catch (error) {
    if (!existsSync(database) && error instanceof Refusal && error.code === 'running') renameSync(keptAs, database);
    throw error;
  }
  if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${keptAs}-wal`);
  rmSync(`${database}-shm`, { force: true });
  syncDirectory(directory);
}

/** A log whose database an interrupted run put aside goes beside that. */
function freeName(database: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${database}${keptSuffix}${count === 1 ? '' : `-${count}`}`;
    const isFree = !existsSync(name) || !existsSync(database);
    if (isFree && !existsSync(`${name}-wal`)) return name;
  }
}
