/**
 * Decides from op-conductor's files what is imported, or why nothing may be (rule 8): no gap above the
 * snapshot, a snapshot with the right checksum where the log does not begin at 1, terms that fit.
 * Reads keys, votes and snapshots; the entries themselves are checked while they are copied.
 */
import type { HardState, Snapshot } from '#conductor/core/raft/types';
import type { BoltFile } from './bolt-file.ts';
import { findRun, readStable, refuseSwapped, type LogRun } from './go-store.ts';
import { logFileName, snapshotsName, stableFileName } from './layout.ts';
import { MigrationError, wipeAdvice } from './migration-error.ts';
import { listSnapshots, readSnapshot } from './snapshot-files.ts';

/** What becomes ours. */
export interface ImportPlan {
  /** null for a store in which op-conductor never wrote a term, an entry or a snapshot: it is as good as new. */
  readonly hardState: HardState | null;
  readonly snapshot: Snapshot | null;
  readonly snapshotName: string | null;
  /** Entries to copy; none when last < first. */
  readonly first: number;
  readonly last: number;
  /** Sentences about what is left behind, and why that is safe. */
  readonly warnings: readonly string[];
}

/** Throws MigrationError. */
export function planImport(files: {
  readonly log: BoltFile;
  readonly stable: BoltFile;
  readonly snapshots: string;
}): ImportPlan {
  refuseSwapped(files.log, files.stable);
  const stable = readStable(files.stable, stableFileName);
  const found = findRun(files.log, logFileName);
  const warnings: string[] = [];
  const chosen = chooseSnapshot(files.snapshots, found, warnings);
  const snapshot = chosen?.snapshot ?? null;
  const run = usableRun(found, snapshot, warnings);
  const { currentTerm, lastVoteTerm } = stable;
  if (lastVoteTerm > currentTerm)
    inconsistent(`The vote in ${stableFileName} is for term ${lastVoteTerm}, beyond its current term ${currentTerm}`);
  if (snapshot !== null && snapshot.meta.term > currentTerm)
    inconsistent(
      `The snapshot has term ${snapshot.meta.term}, beyond the current term ${currentTerm} in ${stableFileName}`,
    );
  const isNew = currentTerm === 0 && run.last < run.first && snapshot === null;
  // Go writes term and candidate of a vote one after the other, so the candidate may be an older vote's.
  const hardState = { term: currentTerm, votedTerm: lastVoteTerm, votedFor: null, recovering: false };
  return {
    hardState: isNew ? null : hardState,
    snapshot,
    snapshotName: chosen?.name ?? null,
    first: run.first,
    last: run.last,
    warnings,
  };
}

/** The newest usable snapshot, as op-conductor would choose at start. */
function chooseSnapshot(
  folder: string,
  run: LogRun,
  warnings: string[],
): { readonly name: string; readonly snapshot: Snapshot } | null {
  const problems: string[] = [];
  for (const name of listSnapshots(folder)) {
    const found = readSnapshot(folder, name);
    if (found.kind === 'valid') {
      warnings.push(...problems);
      return found;
    }
    problems.push(`Snapshot ${name} is not used: ${found.problem}.`);
  }
  const isNeeded = run.last >= run.first && run.first > 1;
  if (isNeeded || problems.length > 0) {
    const why = problems.length > 0 ? problems.join(' ') : `There is none in ${snapshotsName}/.`;
    if (run.first > 1 || run.last < run.first)
      throw new MigrationError(
        'incomplete',
        `The log ${run.before > 0 ? 'has a gap before entry' : 'begins at'} ${run.first}, so the snapshot before it is needed. ${why} Put back a snapshot folder that goes with this log. ${wipeAdvice}`,
      );
    warnings.push(...problems);
  }
  return null;
}

/** The part of the log that counts beside the snapshot. */
function usableRun(run: LogRun, snapshot: Snapshot | null, warnings: string[]): LogRun {
  const covered = snapshot?.meta.index ?? 0;
  const isEmpty = run.last < run.first;
  if (!isEmpty && run.first > covered + 1) {
    inconsistent(
      `The log has no entries between ${covered} (${snapshot === null ? 'its beginning' : 'the snapshot'}) and ${run.first}`,
    );
  }
  if (run.before > 0)
    warnings.push(`${run.before} entries before a gap are left behind: the snapshot at ${covered} covers them.`);
  if (!isEmpty && run.last < covered) {
    warnings.push(`Entries up to ${run.last} are left behind: the snapshot at ${covered} is newer than the log.`);
    return { first: covered + 1, last: covered, before: run.before };
  }
  return isEmpty ? { first: covered + 1, last: covered, before: 0 } : run;
}

function inconsistent(what: string): never {
  throw new MigrationError(
    'inconsistent',
    `${what}: the files do not belong together, as when they are copied while op-conductor runs. Stop op-conductor and copy again. ${wipeAdvice}`,
  );
}
