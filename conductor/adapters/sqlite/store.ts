/**
 * LogStore over one bun:sqlite file per server: every batch is one durable transaction (WAL,
 * synchronous=FULL), so term, vote and entries change together or not at all. A failed write
 * ends the store: what an fsync error leaves in the page cache is unknown, so nothing is retried.
 * The WAL is copied back in small steps (see the constants): by `maintain()` when the host is
 * idle, and by `write` itself only past a hard bound. Numbers: bench/micro/store.ts.
 */
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '#conductor/core/assert';
import type { LogStore, Metrics, StoredState, WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState } from '#conductor/core/raft/types';
import { planBatch, type BatchPlan, type LogExtent } from './batch-plan.ts';
import { openDatabase } from './database.ts';
import { prepareDirectory } from './directory.ts';
import { findInconsistency } from './integrity.ts';
import { LogTable } from './log-table.ts';
import { StateTable } from './state-table.ts';
import { StoreError, restoreAdvice, storeErrorFrom } from './store-error.ts';
import { Verifier, type Verification } from './verifier.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/**
 * WAL that `write` tolerates before it copies it back itself, and that `maintain` tolerates. Small
 * steps cost no throughput and keep the pause short: with 100 kB commits and no idle moments p99 is
 * 2.7 ms at 2 MiB, 5 at 4, 6.6 at 8, and 100 ms stalls appear at 64; with `maintain` it is 0.9 ms.
 */
const walBytesMax = 2 * 1024 * 1024;
const walBytesIdle = 1024 * 1024;
/** Entries deleted per entry appended while a compaction is being worked off: more than come in, so it ends. */
const reclaimPerEntry = 2;
/** Entries and bytes deleted per `maintain`. */
const reclaimRowsIdle = 32;
const reclaimBytesMax = 4 * 1024 * 1024;
const defaultSlowWriteMs = 100;

/** How to open a store. */
export interface StoreOptions {
  /** `<storage.dir>/<server.id>`; created with mode 0700. */
  readonly directory: string;
  /** Stored at creation and checked ever after. */
  readonly serverId: string;
  readonly metrics?: Metrics;
  /** Writes longer than this are counted in slow_writes_total; a tenth of the heartbeat timeout, default 100. */
  readonly slowWriteMs?: number;
  /** Bound on the database file in bytes, default none; at the bound a write fails with 'disk-full'. */
  readonly bytesMax?: number;
}

/** Opens or creates the store of one server; throws StoreError. The caller must close it. */
export function openStore(options: StoreOptions): SqliteStore {
  const path = prepareDirectory(options.directory);
  const bytesMax = options.bytesMax === undefined ? {} : { bytesMax: options.bytesMax };
  return new SqliteStore(openDatabase({ path, serverId: options.serverId, ...bytesMax }), path, options);
}

/** See LogStore for the contract; `maintain` and `verifyNext` are for the host's idle moments. */
export class SqliteStore implements LogStore, Disposable {
  readonly #database: Database;
  readonly #parts = new DisposableStack();
  readonly #path: string;
  readonly #metrics: Metrics | undefined;
  readonly #slowWriteMs: number;
  readonly #log: LogTable;
  readonly #state: StateTable;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #wal: WriteAheadLog;
  #hardState: HardState | null = null;
  #extent: LogExtent = { firstIndex: 1, lastIndex: 0, garbageThrough: 0 };
  #verifier: Verifier | null = null;
  #failure: StoreError | null = null;

  constructor(database: Database, path: string, options: StoreOptions) {
    this.#database = database;
    this.#path = path;
    this.#metrics = options.metrics;
    this.#slowWriteMs = options.slowWriteMs ?? defaultSlowWriteMs;
    try {
      this.#log = this.#parts.use(new LogTable(database, path));
      this.#state = this.#parts.use(new StateTable(database, path));
      this.#begin = this.#parts.use(database.prepare('BEGIN IMMEDIATE'));
      this.#commit = this.#parts.use(database.prepare('COMMIT'));
      this.#wal = this.#parts.use(new WriteAheadLog(database, `${path}-wal`));
    } catch (error) {
      database.close();
      throw storeErrorFrom(error, 'Opening the store', path);
    }
  }

  load(): StoredState {
    assert(this.#verifier === null, 'a store is loaded once');
    return this.#guard('Reading the store', () => {
      const state = this.#state.get();
      const snapshot = this.#state.getSnapshot()?.meta ?? null;
      const heads = this.#log.heads(state?.firstIndex ?? 0);
      const fault = findInconsistency({ state, snapshot, heads });
      if (fault !== null)
        throw new StoreError(
          'corrupt',
          `${fault} in ${this.#path}; serving from it could lose acknowledged commits. ${restoreAdvice}`,
        );
      const firstIndex = state?.firstIndex ?? 1;
      this.#extent = {
        firstIndex,
        lastIndex: firstIndex + heads.length - 1,
        garbageThrough: this.#log.highestBelow(firstIndex),
      };
      this.#hardState = state?.hardState ?? null;
      this.#verifier = new Verifier(this.#log, heads, this.#path);
      const entries = heads.map(({ index, term, type, size, summary }) => ({ index, term, type, size, summary }));
      return { hardState: state?.hardState ?? null, snapshot, entries };
    });
  }

  write(batch: WriteBatch): void {
    assert(this.#verifier !== null, 'a store is loaded before the first write');
    this.#refuseAfterFailure();
    const plan = planBatch(this.#extent, batch);
    const hardState = batch.hardState ?? this.#hardState;
    assert(hardState !== null, 'the first write carries a hard state');
    const started = Bun.nanoseconds();
    let extent: LogExtent;
    try {
      if (this.#wal.isAbove(walBytesMax)) this.#wal.copyBack();
      extent = this.#transact(() => this.#apply(batch, plan, hardState));
    } catch (error) {
      throw this.#fail(error, 'Writing to the store');
    }
    this.#extent = extent;
    this.#hardState = hardState;
    this.#observe(started);
  }

  read(from: number, to: number, bytesMax: number): Entry[] {
    assert(
      from >= this.#extent.firstIndex && to <= this.#extent.lastIndex && from <= to,
      'only stored entries are read',
    );
    return this.#guard('Reading the log', () => {
      const entries: Entry[] = [];
      let bytes = 0;
      for (let index = from; index <= to; index += 1) {
        const entry = this.#log.read(index);
        entries.push(entry);
        bytes += (entry.data?.length ?? 0) + (entry.extensions?.length ?? 0);
        if (bytes >= bytesMax) break;
      }
      return entries;
    });
  }

  readSnapshot(): Uint8Array | null {
    return this.#guard('Reading the snapshot', () => this.#state.getSnapshot()?.data ?? null);
  }

  /**
   * One short piece of housekeeping (a few ms): copies the WAL back, or deletes compacted entries.
   * Returns whether more is due; throws StoreError, after which the store refuses writes.
   */
  maintain(): boolean {
    this.#refuseAfterFailure();
    try {
      if (this.#wal.isAbove(walBytesIdle)) {
        this.#wal.copyBack();
      } else if (this.#extent.garbageThrough > 0) {
        this.#extent = this.#transact(() => this.#reclaim(this.#extent, reclaimRowsIdle));
      }
      return this.#extent.garbageThrough > 0 || this.#wal.isAbove(walBytesIdle);
    } catch (error) {
      throw this.#fail(error, 'Maintaining the store');
    }
  }

  /** Checks further entries that were not checked at open, up to about bytesMax of data. Never throws for bad content. */
  verifyNext(bytesMax: number): Verification {
    assert(this.#verifier !== null, 'a store is loaded before it is verified');
    return this.#verifier.step(this.#extent.firstIndex, this.#extent.lastIndex, bytesMax);
  }

  close(): void {
    if (this.#parts.disposed) return;
    if (this.#failure === null) this.#wal.end();
    this.#parts.dispose();
    this.#guard('Closing the store', () => this.#database.close(true));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #transact<T>(action: () => T): T {
    this.#wal.need();
    this.#begin.run();
    this.#wal.begin();
    const result = action();
    this.#commit.run();
    this.#wal.committed();
    return result;
  }

  #apply(batch: WriteBatch, plan: BatchPlan, hardState: HardState): LogExtent {
    if (plan.deleteFrom !== null) this.#log.delete(plan.deleteFrom, Number.MAX_SAFE_INTEGER);
    for (const stored of batch.entries ?? []) {
      this.#log.insert(stored);
      this.#wal.wrote(stored.entry.data?.length ?? 0);
    }
    if (batch.snapshot !== undefined) this.#state.putSnapshot(batch.snapshot);
    const { firstIndex } = plan.extent;
    if (batch.hardState !== undefined || firstIndex !== this.#extent.firstIndex)
      this.#state.put({ firstIndex, hardState });
    return this.#reclaim(plan.extent, reclaimPerEntry * Math.max(1, batch.entries?.length ?? 0));
  }

  #reclaim(extent: LogExtent, rowsMax: number): LogExtent {
    if (extent.garbageThrough === 0) return extent;
    const remains = this.#log.reclaim(extent.firstIndex, rowsMax, reclaimBytesMax);
    return remains ? extent : { ...extent, garbageThrough: 0 };
  }

  #observe(startedNs: number): void {
    const seconds = (Bun.nanoseconds() - startedNs) / 1e9;
    this.#metrics?.observe('fsync_seconds', seconds);
    if (seconds * 1000 > this.#slowWriteMs) this.#metrics?.count('slow_writes_total');
  }

  #refuseAfterFailure(): void {
    if (this.#failure === null) return;
    throw new StoreError(
      'failed',
      `The store at ${this.#path} takes no more writes since an earlier one failed: ${this.#failure.message}`,
      this.#failure,
    );
  }

  /** Rolls back and makes the failure final. */
  #fail(thrown: unknown, doing: string): StoreError {
    const failure = storeErrorFrom(thrown, doing, this.#path);
    this.#failure = failure;
    if (!this.#database.inTransaction) return failure;
    try {
      this.#database.run('ROLLBACK');
      return failure;
    } catch (rollbackError) {
      // Without a COMMIT in the WAL the transaction is void at the next open all the same.
      return new StoreError(failure.code, failure.message, new AggregateError([failure, rollbackError]));
    }
  }

  #guard<T>(doing: string, action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw storeErrorFrom(error, doing, this.#path);
    }
  }
}
