/**
 * What a store of ours holds, read without changing it: for comparing the stores that survived, for checking a
 * backup, and for people. The head is that of the whole log, as if all of it were committed.
 */
import { constants, Database } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import { applicationId, formatVersion, readValue } from '#conductor/adapters/sqlite/database';
import { findInconsistency } from '#conductor/adapters/sqlite/integrity';
import { LogTable } from '#conductor/adapters/sqlite/log-table';
import { StateTable } from '#conductor/adapters/sqlite/state-table';
import { storeErrorFrom } from '#conductor/adapters/sqlite/store-error';
import { messageOf } from '#conductor/core/errors';
import type { BlockRef } from '#conductor/core/node/calls';
import { readSummary } from '#conductor/core/payload/block-summary';
import { SszError } from '#conductor/core/payload/ssz-check';
import { decodeSsz } from '#conductor/core/payload/ssz';
import { prefixedHex } from '#conductor/core/payload/hex';
import type { EntrySummary } from '#conductor/core/ports';
import { EntryType, type IndexedConfiguration, type Snapshot } from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { Refusal } from './refusal.ts';
import { verifyStore } from './verify-store.ts';

const strangeObjects = `SELECT count(*) FROM sqlite_schema
  WHERE type <> 'table' OR name NOT IN ('identity', 'state', 'entry', 'body', 'snapshot', 'even_log', 'odd_log')`;

/** Indexes and terms are 0 where there is nothing. */
export interface StoreReport {
  readonly serverId: string;
  /** null for op-conductor's files. */
  readonly format: number | null;
  readonly term: number;
  readonly votedTerm: number;
  /** It neither votes nor campaigns before a leader has brought it up to date (rule 9). */
  readonly isRecovering: boolean;
  readonly firstIndex: number;
  /** Of the last entry, or of the snapshot where the log is empty. */
  readonly lastIndex: number;
  readonly lastTerm: number;
  readonly snapshotIndex: number;
  /** The last in the log, committed or not: the one that counts. */
  readonly membership: IndexedConfiguration;
  /** Of the highest payload; null while there is none. */
  readonly head: BlockRef | null;
}

/** Before anything else is read: throws Refusal for a file that is no store this release can read. */
function readIdentity(database: Database, path: string): string {
  try {
    const format = readValue(database, 'PRAGMA user_version');
    if (readValue(database, 'PRAGMA application_id') !== applicationId)
      throw new Refusal('foreign', `${path} is a database, but no conductor's store. Name the right file.`);
    if (typeof format !== 'number' || format > formatVersion)
      throw new Refusal(
        'version',
        `${path} was written by a newer release (format ${String(format)}, this release knows ${formatVersion}): its votes could be misread. Use that release.`,
      );
    // A file that was made to look like a store could do more than hold data.
    if (readValue(database, strangeObjects) !== 0)
      throw new Refusal('foreign', `${path} holds tables or triggers that are no conductor's. Name the right file.`);
    return String(readValue(database, 'SELECT server_id FROM identity WHERE id = 1'));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      'damaged',
      `${path} cannot be read as a conductor's store: ${storeErrorFrom(error, 'Reading it', path).message}`,
      error,
    );
  }
}

/** Reads everything but the entries' data. Throws Refusal and StoreError. */
export function reportOf(database: Database, path: string): StoreReport {
  const serverId = readIdentity(database, path);
  using log = new LogTable(database, path);
  using state = new StateTable(database, path);
  try {
    const row = state.get();
    const snapshot = state.getSnapshot();
    const heads = log.heads(row?.firstIndex ?? 0);
    const fault = findInconsistency({ state: row, snapshot: snapshot?.meta ?? null, heads });
    if (fault !== null) throw new Refusal('damaged', `${fault} in ${path}.`);
    const last = heads.at(-1) ?? snapshot?.meta;
    return {
      serverId,
      format: readValue(database, 'PRAGMA user_version') as number,
      term: row?.hardState.term ?? 0,
      votedTerm: row?.hardState.votedTerm ?? 0,
      isRecovering: row?.hardState.recovering ?? true,
      firstIndex: heads[0]?.index ?? 0,
      lastIndex: last?.index ?? 0,
      lastTerm: last?.term ?? 0,
      snapshotIndex: snapshot?.meta.index ?? 0,
      membership: membershipOf(log, heads, snapshot),
      head: headOf(heads, snapshot),
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw storeErrorFrom(error, 'Reading the store', path);
  }
}

/** The report of a file that nobody has open, as a backup is: nothing is written, not even beside it. */
export function reportOfFile(path: string): StoreReport {
  return withFile(path, (database) => reportOf(database, path));
}

/** Reads such a file to its last byte; rejects as verifyStore does. */
export async function verifyFile(path: string, signal?: AbortSignal): Promise<void> {
  using opened = new DisposableStack();
  const database = opened.adopt(openFile(path), (one) => one.close());
  await verifyStore(database, { name: path, signal });
}

/** Whose store a file is, also while a conductor runs on it. */
export function identityOfFile(path: string): string {
  return withFile(path, (database) => readIdentity(database, path));
}

function withFile<T>(path: string, read: (database: Database) => T): T {
  using opened = new DisposableStack();
  return read(opened.adopt(openFile(path), (database) => database.close()));
}

/** Opened as if it could not change: without locks, and without the log beside it, which the identity never needs. */
function openFile(path: string): Database {
  try {
    const address = `${pathToFileURL(path).href}?immutable=1`;
    return new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  } catch (error) {
    throw new Refusal('damaged', `${path} cannot be opened as a conductor's store: ${messageOf(error)}.`, error);
  }
}

function membershipOf(log: LogTable, heads: readonly EntrySummary[], snapshot: Snapshot | null): IndexedConfiguration {
  const last = heads.findLast(({ type }) => type === EntryType.configuration);
  if (last === undefined || last.index <= (snapshot?.meta.configuration.index ?? 0))
    return snapshot?.meta.configuration ?? { index: 0, configuration: { servers: [] } };
  const { data } = log.read(last.index);
  return { index: last.index, configuration: decodeConfiguration(data ?? new Uint8Array()) };
}

/** The highest number, the first one at that height; an entry that moves the chain back sets it (rules 1 and 6). */
export function headOf(heads: readonly EntrySummary[], snapshot: Snapshot | null): BlockRef | null {
  let head: BlockRef | null = snapshot === null ? null : headOfSnapshot(snapshot);
  for (const { index, type, summary } of heads) {
    if (type !== EntryType.command || summary === null || index <= (snapshot?.meta.index ?? 0)) continue;
    const block = readSummary(summary);
    if (block === null || (head !== null && !block.isRollback && block.number <= head.number)) continue;
    head = { number: block.number, hash: prefixedHex(block.hash) };
  }
  return head;
}

function headOfSnapshot({ data }: Snapshot): BlockRef | null {
  const decoded = decodeSsz(data);
  if (decoded instanceof SszError) return null;
  const { blockNumber, blockHash } = decoded.envelope.executionPayload;
  return { number: blockNumber, hash: prefixedHex(blockHash) };
}
