/** `conductor man`: prints the manual page, for packages and for those who copied the binary. */
import type { Command } from 'commander';
import { exitUsage } from './exit-usage.ts';
import { manPage } from './man-page.ts';
import { version } from './version.ts';

/** Registers the command; the page has all commands that are registered when it runs. */
export function manCommand(
  parent: Command,
  listed: () => readonly { readonly name: string; readonly doc: string }[],
): void {
  parent
    .command('man')
    .description('print the manual page: conductor man | man -l -')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action(() => {
      // Whoever reads may have enough.
      process.stdout.on('error', () => undefined);
      process.stdout.write(manPage({ version, commands: listed() }));
    });
}
