/**
 * The two single rows of a store: the state row (where the log begins, and the hard state, under one
 * checksum) and the snapshot. Methods that change rows run inside the caller's transaction.
 */
import type { Database, Statement } from 'bun:sqlite';
import type { HardState, IndexedConfiguration, Server, Snapshot, SnapshotMeta } from '#conductor/core/raft/types';
import { snapshotChecksum, stateChecksum } from './checksum.ts';
import { StoreError, restoreAdvice } from './store-error.ts';

/** What the state row holds. */
export interface StateRow {
  /** Index of the first entry; where the next one is expected when the log is empty. Rows below it are garbage. */
  readonly firstIndex: number;
  readonly hardState: HardState;
}

interface RawState {
  readonly firstIndex: number;
  readonly term: number;
  readonly votedTerm: number;
  readonly votedId: string | null;
  readonly votedAddress: string | null;
  readonly recovering: number;
  readonly checksum: number;
}

interface RawSnapshot {
  readonly index: number;
  readonly term: number;
  readonly checksum: number;
  readonly configuration: string;
  readonly data: Uint8Array;
}

export class StateTable implements Disposable {
  readonly #path: string;
  readonly #statements = new DisposableStack();
  readonly #putState: Statement;
  readonly #getState: Statement;
  readonly #putSnapshot: Statement;
  readonly #getSnapshot: Statement;

  constructor(database: Database, path: string) {
    const prepare = (sql: string): Statement => this.#statements.use(database.prepare(sql));
    this.#path = path;
    this.#putState = prepare(
      'INSERT OR REPLACE INTO state (id, first_index, term, voted_term, voted_id, voted_address, recovering, checksum) VALUES (1, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#getState = prepare(
      `SELECT first_index AS firstIndex, term, voted_term AS votedTerm, voted_id AS votedId, voted_address AS votedAddress,
         recovering, checksum FROM state WHERE id = 1`,
    );
    this.#putSnapshot = prepare(
      'INSERT OR REPLACE INTO snapshot (id, last_index, term, size, checksum, configuration, data) VALUES (1, ?, ?, ?, ?, ?, ?)',
    );
    this.#getSnapshot = prepare(
      'SELECT last_index AS "index", term, checksum, configuration, data FROM snapshot WHERE id = 1',
    );
  }

  put(row: StateRow): void {
    const { term, votedTerm, votedFor, recovering } = row.hardState;
    const checksum = stateChecksum(row.firstIndex, row.hardState);
    this.#putState.run(
      row.firstIndex,
      term,
      votedTerm,
      votedFor?.id ?? null,
      votedFor?.address ?? null,
      recovering ? 1 : 0,
      checksum,
    );
  }

  /** null for a store that was never written to; throws StoreError 'corrupt'. */
  get(): StateRow | null {
    const raw = this.#getState.get() as RawState | null;
    if (raw === null) return null;
    const votedFor = raw.votedAddress === null ? null : { id: raw.votedId, address: raw.votedAddress };
    const hardState: HardState = {
      term: raw.term,
      votedTerm: raw.votedTerm,
      votedFor,
      recovering: raw.recovering === 1,
    };
    if (stateChecksum(raw.firstIndex, hardState) !== raw.checksum) {
      throw new StoreError(
        'corrupt',
        `The term and vote in ${this.#path} do not match their checksum; voting on them could elect two leaders. ${restoreAdvice}`,
      );
    }
    return { firstIndex: raw.firstIndex, hardState };
  }

  putSnapshot(snapshot: Snapshot): void {
    const { index, term, configuration, size } = snapshot.meta;
    const text = encodeConfiguration(configuration);
    const checksum = snapshotChecksum(index, term, text, snapshot.data);
    this.#putSnapshot.run(index, term, size, checksum, text, snapshot.data);
  }

  /** The stored snapshot, checked; null if there is none; throws StoreError 'corrupt'. */
  getSnapshot(): Snapshot | null {
    const raw = this.#getSnapshot.get() as RawSnapshot | null;
    if (raw === null) return null;
    const { index, term, data } = raw;
    if (snapshotChecksum(index, term, raw.configuration, data) !== raw.checksum) {
      throw new StoreError(
        'corrupt',
        `The snapshot at index ${index} in ${this.#path} does not match its checksum; the state in it cannot be trusted. ${restoreAdvice}`,
      );
    }
    const meta: SnapshotMeta = {
      index,
      term,
      configuration: decodeConfiguration(raw.configuration),
      size: data.length,
    };
    return { meta, data };
  }

  [Symbol.dispose](): void {
    this.#statements.dispose();
  }
}

/** JSON array of [index, [id, address, suffrage]...]: small, and readable with any SQLite shell. */
function encodeConfiguration(configuration: IndexedConfiguration): string {
  const servers = configuration.configuration.servers.map(({ id, address, suffrage }) => [id, address, suffrage]);
  return JSON.stringify([configuration.index, ...servers]);
}

/** Reads what encodeConfiguration wrote; the checksum has been checked, so the shape is known. */
function decodeConfiguration(text: string): IndexedConfiguration {
  const [index, ...rows] = JSON.parse(text) as [number, ...[string, string, Server['suffrage']][]];
  return { index, configuration: { servers: rows.map(([id, address, suffrage]) => ({ id, address, suffrage })) } };
}
