/**
 * op-conductor's two files, locked and open, and the copying of their content into a store of ours.
 * Entries go through a bounded batch, so that a log of any size takes little memory.
 */
import { openStore, type SqliteStore } from '#conductor/adapters/sqlite/store';
import { summarizeData } from '#conductor/core/payload/block-summary';
import type { StoredEntry } from '#conductor/core/ports';
import { EntryType, type Configuration, type Entry } from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { BoltFile } from './bolt-file.ts';
import { fileSource } from './byte-source.ts';
import { lockFile, type LockedFile } from './file-lock.ts';
import { readEntries } from './go-store.ts';
import { planImport, type ImportPlan } from './import-plan.ts';
import { logFileName, type Layout } from './layout.ts';
import { MigrationError } from './migration-error.ts';

/** A transaction of the copy: data, and entries, at most (one entry may be larger). */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_ENTRIES = 1024;

/** Disposing it gives Go's locks back. */
export interface OpenGoDirectory extends Disposable {
  readonly log: LockedFile;
  readonly stable: LockedFile;
  readonly plan: ImportPlan;
  readonly entries: () => Iterable<Entry>;
  /** The last membership of snapshot and entries; complete once all entries have been read. */
  readonly membership: () => Configuration;
}

/** Takes Go's locks and reads everything but the entries. Throws MigrationError; the locks are then free again. */
export function openGoDirectory(layout: Layout): OpenGoDirectory {
  using locks = new DisposableStack();
  const log = locks.use(lockFile(layout.log));
  const stable = locks.use(lockFile(layout.stable));
  const logFile = new BoltFile(fileSource(layout.log, log.descriptor));
  const stableFile = new BoltFile(fileSource(layout.stable, stable.descriptor));
  const plan = planImport({ log: logFile, stable: stableFile, snapshots: layout.snapshots });
  let membership: Configuration = plan.snapshot?.meta.configuration.configuration ?? { servers: [] };
  const entries = function* (): Generator<Entry> {
    for (const entry of checked(readEntries(logFile, logFileName, plan.first), plan)) {
      if (entry.type === EntryType.configuration) membership = decodeConfiguration(entry.data ?? new Uint8Array());
      yield entry;
    }
  };
  const held = locks.move();
  return { log, stable, plan, entries, membership: () => membership, [Symbol.dispose]: () => held.dispose() };
}

/** How far the copy is. */
export interface CopyProgress {
  /** Index copied last, and the one it ends at. */
  readonly index: number;
  readonly last: number;
  /** Bytes of data copied. */
  readonly bytes: number;
}

/** Fills a new store in `directory`; yields after each transaction. The caller removes what a throw leaves. */
export function* copyInto(
  directory: string,
  serverId: string,
  { plan, entries }: OpenGoDirectory,
): Generator<CopyProgress> {
  yield* fill(directory, serverId, { plan, entries });
  // Opened as a start would: what would be refused then must be refused while Go's files are untouched.
  using copy = openStore({ directory, serverId });
  copy.load();
}

function* fill(
  directory: string,
  serverId: string,
  { plan, entries }: Pick<OpenGoDirectory, 'plan' | 'entries'>,
): Generator<CopyProgress> {
  using store = openStore({ directory, serverId });
  store.load();
  const { snapshot, hardState } = plan;
  if (hardState === null) return;
  store.write({
    hardState,
    ...(plan.first > 1 ? { compactThrough: plan.first - 1 } : {}),
    ...(snapshot === null ? {} : { snapshot }),
  });
  yield* copyEntries(store, entries(), plan);
}

function* copyEntries(store: SqliteStore, entries: Iterable<Entry>, plan: ImportPlan): Generator<CopyProgress> {
  let bytes = 0;
  let batchBytes = 0;
  let batch: StoredEntry[] = [];
  for (const entry of entries) {
    const summary = entry.type === EntryType.command ? summarizeData(entry.data, entry.extensions) : null;
    batch.push({ entry, summary });
    batchBytes += entry.data?.length ?? 0;
    if (batchBytes < BATCH_BYTES && batch.length < BATCH_ENTRIES && entry.index < plan.last) continue;
    store.write({ entries: batch });
    bytes += batchBytes;
    batch = [];
    batchBytes = 0;
    yield { index: entry.index, last: plan.last, bytes };
  }
}

/** The entries, as long as they ascend in index and term and fit term and snapshot. */
function* checked(entries: Iterable<Entry>, plan: ImportPlan): Generator<Entry> {
  const boundary = plan.snapshot?.meta;
  let expected = plan.first;
  let term = boundary !== undefined && plan.first > boundary.index ? boundary.term : 0;
  for (const entry of entries) {
    if (entry.index !== expected) fault(`entry ${entry.index} stands where ${expected} should be`);
    if (entry.term < term) fault(`entry ${entry.index} has term ${entry.term}, below ${term} of what is before it`);
    if (entry.term > (plan.hardState?.term ?? 0))
      fault(`entry ${entry.index} has term ${entry.term}, beyond the current term ${plan.hardState?.term ?? 0}`);
    if (boundary?.index === entry.index && boundary.term !== entry.term)
      fault(`entry ${entry.index} has term ${entry.term}, but the snapshot there has term ${boundary.term}`);
    term = entry.term;
    expected += 1;
    yield entry;
  }
  if (expected !== plan.last + 1) fault(`it ends at ${expected - 1} instead of ${plan.last}`);
}

function fault(what: string): never {
  throw new MigrationError(
    'inconsistent',
    `${logFileName} does not fit together: ${what}. Stop op-conductor and copy its directory again, all files at one moment.`,
  );
}
