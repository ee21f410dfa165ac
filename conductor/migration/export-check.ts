/**
 * Whether op-conductor could go on with a store of ours without forgetting anything: it knows neither
 * servers that must not vote yet (rule 9) nor entries that move the chain back (rule 6).
 */
import { readSummary } from '#conductor/core/payload/block-summary';
import { rollbackPayload } from '#conductor/core/payload/rollback-entry';
import type { EntrySummary, LogStore, StoredState } from '#conductor/core/ports';
import type { HardState, SnapshotMeta } from '#conductor/core/raft/types';
import { MigrationError, wipeAdvice } from './migration-error.ts';

/** What is handed over. */
export interface ExportSummary {
  readonly hardState: HardState;
  readonly snapshot: SnapshotMeta | null;
  /** null for an empty log. */
  readonly firstIndex: number | null;
  readonly lastIndex: number | null;
}

/** Throws MigrationError 'unsuitable'. */
export function checkExport(
  store: LogStore,
  { hardState, snapshot, entries }: StoredState,
  directory: string,
): ExportSummary {
  if (hardState === null) {
    throw new MigrationError(
      'unsuitable',
      `The store in ${directory} was never written to: there is nothing to export. Start op-conductor on an empty directory.`,
    );
  }
  if (hardState.recovering) {
    throw new MigrationError(
      'unsuitable',
      `The server in ${directory} has a new store and has not caught up yet: op-conductor would vote with it at once and could undo acknowledged commits. Start conductor until it has caught up. ${wipeAdvice}`,
    );
  }
  const covered = snapshot?.index ?? 0;
  const rollback = entries.find((entry) => entry.index > covered && isRollback(store, entry));
  if (rollback !== undefined) {
    throw new MigrationError(
      'unsuitable',
      `Entry ${rollback.index} moves the chain back, which op-conductor would not understand, and no snapshot covers it yet. Start conductor until it has taken a snapshot beyond that entry. ${wipeAdvice}`,
    );
  }
  return { hardState, snapshot, firstIndex: entries[0]?.index ?? null, lastIndex: entries.at(-1)?.index ?? null };
}

/** What op-conductor is given: the log from the last entry on that moves the chain back, where a snapshot covers that. */
export function afterRollbacks(store: LogStore, state: StoredState): StoredState {
  const covered = state.snapshot?.index ?? 0;
  const last = state.entries.findLast((entry) => entry.index <= covered && isRollback(store, entry))?.index ?? 0;
  return { ...state, entries: state.entries.filter((entry) => entry.index > last) };
}

/** By the entry's summary; by its data where another version of this software made the summary. */
function isRollback(store: LogStore, { index, summary }: EntrySummary): boolean {
  if (summary === null) return false;
  const known = readSummary(summary);
  if (known !== null) return known.isRollback;
  const data = store.read(index, index, 1)[0]?.data ?? null;
  return data !== null && rollbackPayload(data) !== null;
}
