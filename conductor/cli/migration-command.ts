/**
 * What `conductor import` and `conductor export` have in common: which directory, --dry-run, --json, a line of
 * progress now and then, and exit codes: 0 done, 1 refused or failed (the message says what to do), 2 wrong usage.
 */
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import type { CopyProgress } from '#conductor/migration/go-directory';
import { messageOf } from '#conductor/core/errors';
import { runbookOf } from '#conductor/host/application-failed';
import { envNameOf } from './flags/definition.ts';
import { exitUsage } from './exit-usage.ts';
import { progressLines } from '#conductor/migration/progress-lines';

/** The outcome for machines and for people. */
export interface Report {
  readonly json: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

export interface MigrationTask {
  readonly directory: string;
  readonly serverId: string;
  readonly isDryRun: boolean;
  readonly onProgress: (progress: CopyProgress) => void;
}

export interface MigrationDefinition {
  readonly name: string;
  readonly description: string;
  /** What --dry-run does. */
  readonly dryRun: string;
  /** Throws MigrationError or StoreError. */
  execute(task: MigrationTask): Promise<Report>;
}

const exitRefused = 1;

const storageFlag = 'raft.storage.dir';
const serverFlag = 'raft.server.id';

interface Flags {
  readonly [storageFlag]: string;
  readonly [serverFlag]: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Registers one of the two. */
export function migrationCommand(parent: Command, { name, description, dryRun, execute }: MigrationDefinition): void {
  const required = (flag: string, doc: string): Option =>
    new Option(`--${flag} <text>`, doc).env(envNameOf(flag)).makeOptionMandatory();
  parent
    .command(name)
    .description(description)
    .addOption(required(storageFlag, 'folder that holds one sub-folder per server id'))
    .addOption(required(serverFlag, 'name of this server in the cluster'))
    .option('--dry-run', dryRun)
    .option('--json', 'print one JSON object instead of sentences')
    .addHelpText('after', '\nThe server must be stopped. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action(async (flags: Flags) => {
      const report = await attempt(name, flags, execute);
      process.stdout.write(
        flags.json ? `${JSON.stringify(report.json)}\n` : report.lines.map((line) => `${line}\n`).join(''),
      );
    });
}

async function attempt(name: string, flags: Flags, execute: MigrationDefinition['execute']): Promise<Report> {
  const serverId = flags[serverFlag];
  if (serverId === '' || /[/\\]|^\.\.?$/.test(serverId)) {
    process.stderr.write(`${name}: the raft server ID names a folder, so it cannot be empty or contain slashes\n`);
    process.exit(exitUsage);
  }
  const task: MigrationTask = {
    directory: join(flags[storageFlag], serverId),
    serverId,
    isDryRun: flags.dryRun === true,
    onProgress: progressLines(({ index, last, bytes }) =>
      process.stderr.write(`${name}: entry ${index} of ${last}, ${bytes} bytes of data so far\n`),
    ),
  };
  try {
    return await execute(task);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ outcome: 'refused', code, message: messageOf(error) })}\n`);
    const runbook = runbookOf(error);
    process.stderr.write(
      `${name}: ${messageOf(error)}\n${runbook === null ? '' : `See ${runbook.command}, or ${runbook.runbook}\n`}`,
    );
    process.exit(exitRefused);
  }
}
