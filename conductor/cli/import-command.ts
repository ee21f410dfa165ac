/** `conductor import`: takes over op-conductor's directory without starting, or says what is in it. */
import type { Command } from 'commander';
import { importGoStore, type ImportOutcome } from '#conductor/migration/import-store';
import { migrationCommand, type Report } from './migration-command.ts';
import { describeImport } from '#conductor/migration/describe-import';

/** Registers the command. */
export function importCommand(parent: Command): void {
  migrationCommand(parent, {
    name: 'import',
    description: "take over op-conductor's log, votes and snapshot (starting conductor does the same)",
    dryRun: 'read and check everything, change nothing',
    execute: async ({ directory, serverId, isDryRun, onProgress }) =>
      report(await importGoStore({ directory, serverId, isDryRun, onProgress }), directory, isDryRun),
  });
}

function report(outcome: ImportOutcome, directory: string, isDryRun: boolean): Report {
  switch (outcome.kind) {
    case 'none':
      return { json: { outcome: 'none', directory }, lines: [`there is no store to import in ${directory}`] };
    case 'present':
      return {
        json: { outcome: 'present', directory },
        lines: [`nothing to import: ${directory} is conductor's already`],
      };
    case 'completed': {
      const line = isDryRun ? 'an interrupted import would be finished' : 'finished an interrupted import';
      return { json: { outcome: isDryRun ? 'unfinished' : 'imported', directory }, lines: [`${line} in ${directory}`] };
    }
    default: {
      const verb = outcome.kind === 'imported' ? 'imported' : 'can be imported:';
      const { summary } = outcome;
      return {
        json: { outcome: outcome.kind, directory, ...summary },
        lines: [`${verb} ${describeImport(summary)}`, ...summary.warnings.map((warning) => `note: ${warning}`)],
      };
    }
  }
}
