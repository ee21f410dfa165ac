/** `conductor completion bash|zsh|fish`: prints what makes a shell complete our commands and flags. */
import { Argument, type Command } from 'commander';
import { completionScript, shells, type CompletedCommand, type CompletedFlag, type Shell } from './completion.ts';
import { flagTable } from './flags.ts';
import { networkNames } from '#conductor/host/settings/networks';
import { exitUsage } from './exit-usage.ts';

/** Registers the command; it knows all commands that are registered when it runs. */
export function completionCommand(parent: Command): void {
  parent
    .command('completion')
    .description('print a completion script: source <(conductor completion bash)')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(shells))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action((shell: Shell) => {
      // Whoever reads may have enough.
      process.stdout.on('error', () => undefined);
      process.stdout.write(completionScript(shell, { commands: commandsOf(parent), flags: runFlags() }));
    });
}

function commandsOf(parent: Command): CompletedCommand[] {
  const run = { name: 'run', doc: 'run the conductor beside a sequencer', arguments: [], flags: runFlags() };
  const help = parent.createHelp();
  const others = help.visibleCommands(parent).map((command) => ({
    name: command.name(),
    doc: command.description(),
    arguments: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    flags: help.visibleOptions(command).map((option) => ({
      name: option.long ?? option.flags,
      doc: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
  }));
  return [run, ...others];
}

function runFlags(): CompletedFlag[] {
  const own = flagTable.map((flag) => ({
    name: `--${flag.name}`,
    doc: flag.doc,
    takesValue: flag.type !== 'bool',
    choices: flag.name === 'network' ? networkNames : (flag.choices ?? []),
  }));
  const others = { help: 'show all flags and commands', version: 'show the version' };
  return [
    ...own,
    ...Object.entries(others).map(([name, doc]) => ({ name: `--${name}`, doc, takesValue: false, choices: [] })),
  ];
}
