/**
 * Looks at what survived a disaster: the directories of stopped servers, ours and op-conductor's, and backups.
 * Nothing is changed; a directory that somebody runs on is refused.
 */
import type { Database } from 'bun:sqlite';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { basename, join, resolve } from 'node:path';
import { openGoDirectory } from '#conductor/migration/go-directory';
import { kindOf, layoutOf, type Layout } from '#conductor/migration/layout';
import { openDatabase } from '#conductor/adapters/sqlite/database';
import { databaseFileName } from '#conductor/adapters/sqlite/directory';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { summarizeData } from '#conductor/core/payload/block-summary';
import type { EntrySummary } from '#conductor/core/ports';
import { EntryType, type IndexedConfiguration } from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { Refusal } from './refusal.ts';
import { headOf, identityOfFile, reportOf, reportOfFile, verifyFile, type StoreReport } from './store-report.ts';
import { verifyStore, type Verified, type VerifyOptions } from './verify-store.ts';

export interface Survivor {
  readonly path: string;
  /** Only a 'store' can be recovered in place. */
  readonly kind: 'store' | 'backup' | 'op-conductor';
  readonly report: StoreReport;
}

/** Each place once, however often and by whichever way it is named; rejects as `inspect` does. */
export async function inspectAll(paths: readonly string[]): Promise<Survivor[]> {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : resolve(path)));
  const survivors: Survivor[] = [];
  for (const [at, path] of paths.entries())
    if (places.indexOf(places[at] ?? '') === at) survivors.push(await inspect(path));
  return survivors;
}

/** Rejects with Refusal, StoreError or MigrationError. */
export async function inspect(path: string): Promise<Survivor> {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw new Refusal('missing', `There is nothing at ${path}.`);
  if (status.isFile()) return { path, kind: 'backup', report: reportOfFile(path) };
  const directory = resolve(path);
  const layout = layoutOf(directory);
  if ((statSync(layout.database, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return { path, kind: 'store', report: reportOfStore(layout.database) };
  if (kindOf(layout.log) === 'bolt' && kindOf(layout.stable) === 'bolt')
    return { path, kind: 'op-conductor', report: await reportOfGo(layout, basename(directory)) };
  const below = existsSync(join(directory, basename(directory), databaseFileName)) ? ' (it is one level deeper)' : '';
  throw new Refusal(
    'missing',
    `${path} holds no store of a server${below}. Name the folder <raft.storage.dir>/<raft.server.id>, or a backup.`,
  );
}

/** Reads the store of a stopped server to its last byte, or `bytesMax` of its data; rejects with Refusal or StoreError. */
export async function verifyDirectory(
  directory: string,
  limits: Pick<VerifyOptions, 'signal' | 'bytesMax'> = {},
): Promise<Verified> {
  const path = layoutOf(resolve(directory)).database;
  using opened = new DisposableStack();
  const database = opened.adopt(openStopped(path), (one) => one.close());
  return await verifyStore(database, { name: path, ...limits });
}

/** Reads what survived to its last byte, as `verifyDirectory` does; op-conductor's was read when it was inspected. */
export async function verifySurvivor({ path, kind }: Survivor, signal: AbortSignal): Promise<void> {
  if (kind === 'store') await verifyDirectory(path, { signal });
  else if (kind === 'backup') await verifyFile(path, signal);
}

function reportOfStore(path: string): StoreReport {
  using opened = new DisposableStack();
  return reportOf(
    opened.adopt(openStopped(path), (database) => database.close()),
    path,
  );
}

function openStopped(path: string): Database {
  try {
    return openDatabase({ path, serverId: identityOfFile(path) });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'locked')
      throw new Refusal('running', `A conductor is running on ${path}. Stop it first.`, error);
    throw error;
  }
}

async function reportOfGo(layout: Layout, serverId: string): Promise<StoreReport> {
  using source = openGoDirectory(layout);
  const { hardState, snapshot, first } = source.plan;
  let membership: IndexedConfiguration = snapshot?.meta.configuration ?? { index: 0, configuration: { servers: [] } };
  const heads: EntrySummary[] = [];
  for (const { index, term, type, data, extensions } of source.entries()) {
    if (type === EntryType.configuration && index > membership.index)
      membership = { index, configuration: decodeConfiguration(data ?? new Uint8Array()) };
    const summary = type === EntryType.command ? summarizeData(data, extensions) : null;
    heads.push({ index, term, type, size: data?.length ?? 0, summary });
    await setImmediate();
  }
  const last = heads.at(-1) ?? snapshot?.meta;
  return {
    serverId,
    format: null,
    term: hardState?.term ?? 0,
    votedTerm: hardState?.votedTerm ?? 0,
    isRecovering: false,
    firstIndex: heads.length > 0 ? first : 0,
    lastIndex: last?.index ?? 0,
    lastTerm: last?.term ?? 0,
    snapshotIndex: snapshot?.meta.index ?? 0,
    membership,
    head: headOf(heads, snapshot),
  };
}
