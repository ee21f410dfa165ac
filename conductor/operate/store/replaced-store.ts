/**
 * The store that a restored one replaces: whether there is one, whether it may be replaced, and putting it aside, so
 * that whenever it is interrupted no conductor can start on a part of it.
 */
import { existsSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isExportUnfinished, kindOf, layoutOf } from '#conductor/migration/layout';
import { openDatabase } from '#conductor/adapters/sqlite/database';
import { syncDirectory } from '#conductor/adapters/sqlite/directory';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { openFile } from '#conductor/adapters/system/open-file';
import { Refusal } from './refusal.ts';

/** How every file of SQLite begins. */
const databaseMark = Buffer.from('SQLite format 3\0');
const keptSuffix = '.before-restore';

export interface ReplaceOptions {
  readonly serverId: string;
  readonly isReplacing?: boolean;
  /** Called at each point where a crash leaves a new state. */
  readonly onStep?: (step: string) => void;
}

/** Whether there is a store of ours to put aside; throws Refusal where there is something that may not be replaced. */
export function mustPutAside(directory: string, { serverId, isReplacing }: ReplaceOptions): boolean {
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
  const isThere = existsSync(layout.database) || hasLog(layout.database);
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
  using file = openFile(path, 'r');
  return readSync(file.descriptor, start, 0, start.length, 0) === start.length && start.equals(databaseMark);
}

/** The database first: its log without it is refused at a start, while a database without its log is an older store. */
export function putAside(database: string, keptAs: string, { serverId, onStep }: ReplaceOptions): void {
  const directory = resolve(database, '..');
  if (existsSync(database)) renameSync(database, keptAs);
  syncDirectory(directory);
  onStep?.('database aside');
  try {
    // A conductor that was started since we looked has it open under its new name.
    if (existsSync(keptAs)) refuseRunning(keptAs, serverId);
  } catch (error) {
    if (!existsSync(database) && error instanceof Refusal && error.code === 'running') {
      renameSync(keptAs, database);
      syncDirectory(directory);
    }
    throw error;
  }
  if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${keptAs}-wal`);
  rmSync(`${database}-shm`, { force: true });
  syncDirectory(directory);
}

/** A name that is free; a log whose database an interrupted run put aside goes beside that. */
export function keptName(database: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${database}${keptSuffix}${count === 1 ? '' : `-${count}`}`;
    const isFree = !existsSync(name) || !existsSync(database);
    if (isFree && !hasLog(name)) return name;
  }
}

/** An empty one is left where a database without its log was refused. */
function hasLog(database: string): boolean {
  return (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
