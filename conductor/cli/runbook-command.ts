/** `conductor runbook`: the sections of the runbook, read without a network. Exit codes: 0 printed, 2 no such section. */
import type { Command } from 'commander';
import { loadConsolePack } from '#conductor/console/page-files';
import { exitUsage } from './exit-usage.ts';
import { nearest } from './nearest.ts';

/** Registers the command. */
export function runbookCommand(parent: Command): void {
  parent
    .command('runbook')
    .description('print what to do about an alert or an error code; all of them without one')
    .argument('[code]', 'name of an alert or an error, as ConductorNoLeader or disk-full')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action(async (code: string | undefined) => {
      const { runbook } = await loadConsolePack();
      if (code === undefined) {
        process.stdout.write(`${Object.keys(runbook).join('\n')}\n`);
        return;
      }
      const text = runbook[code];
      if (text !== undefined) {
        process.stdout.write(`${code}\n\n${text}\n`);
        return;
      }
      const meant = nearest(code, Object.keys(runbook));
      const advice = meant === null ? 'conductor runbook lists them' : `did you mean ${meant}?`;
      process.stderr.write(`the runbook has no section "${code}"; ${advice}\n`);
      process.exit(exitUsage);
    });
}
