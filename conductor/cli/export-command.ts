/** `conductor export`: gives a directory back to op-conductor. */
import type { Command } from 'commander';
import { exportGoStore, type ExportOutcome } from '#conductor/migration/export-store';
import { migrationCommand, type Report } from './migration-command.ts';

/** Registers the command. */
export function exportCommand(parent: Command): void {
  migrationCommand(parent, {
    name: 'export',
    description: "turn a stopped conductor's store into op-conductor's files, so that op-conductor can go on with it",
    dryRun: 'open and check the store, change nothing',
    execute: async ({ directory, serverId, isDryRun, onProgress }) =>
      report(
        await exportGoStore({ directory, serverId, isDryRun, onProgress, unixMs: Date.now() }),
        directory,
        isDryRun,
      ),
  });
}

function report(outcome: ExportOutcome, directory: string, isDryRun: boolean): Report {
  if (outcome.kind === 'inPlace')
    return {
      json: { outcome: 'in-place', directory },
      lines: [
        `${directory} holds op-conductor's files and no store of this program: exported already, or never imported`,
        'op-conductor can be started on this directory now',
      ],
    };
  if (outcome.kind === 'completed') {
    const line = isDryRun ? 'an interrupted export would be finished' : 'finished an interrupted export';
    return { json: { outcome: isDryRun ? 'unfinished' : 'exported', directory }, lines: [`${line} in ${directory}`] };
  }
  const { firstIndex, lastIndex, snapshot, hardState } = outcome.summary;
  const log = firstIndex === null ? 'no entries' : `entries ${firstIndex} to ${lastIndex}`;
  const covered = snapshot === null ? 'no snapshot' : `a snapshot at ${snapshot.index}`;
  const verb = outcome.kind === 'exported' ? 'exported' : 'can be exported:';
  const { term, votedTerm } = hardState;
  return {
    json: { outcome: outcome.kind, directory, term, votedTerm, snapshot, firstIndex, lastIndex },
    lines: [
      `${verb} ${log}, ${covered}, term ${term}, voted in term ${votedTerm}`,
      ...(outcome.kind === 'exported' ? ['op-conductor can be started on this directory now'] : []),
    ],
  };
}
