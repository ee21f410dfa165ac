#!/usr/bin/env bun
/**
 * Entry of the binary. Without a command it runs the conductor with op-conductor's flags; the commands
 * (devnet, dev-sequencer, version) have options of their own.
 */
// oxlint-disable-next-line import/no-unassigned-import -- it has no names.
import '#conductor/host/without-last-tier';
import { Command } from 'commander';
import { createLogger } from '#conductor/adapters/logging/logging';
import { directToLoopback, proxiesAsInGo } from '#conductor/adapters/system/proxies';
import type { Logger } from '#conductor/core/ports';
import { reportFailure } from '#conductor/host/application-failed';
import { devSequencerCommand } from '#conductor/dev-sequencer/command';
import { exitWithParent } from '#conductor/dev-sequencer/parent-watch';
import { devnetCommand } from '#conductor/devnet/command';
import { consoleCommand } from './console-command.ts';
import { runbookCommand } from './runbook-command.ts';
import { exportCommand } from './export-command.ts';
import { logConfig, runConfig } from '#conductor/host/settings/flags-config';
import { completionCommand } from './completion-command.ts';
import { exitUsage } from './exit-usage.ts';
import { helpText } from './flags-help.ts';
import { parseFlags, type ParsedFlags } from './flags-parse.ts';
import { healthcheckCommand } from './healthcheck-command.ts';
import { importCommand } from './import-command.ts';
import { manCommand } from './man-command.ts';
import { nearest } from './nearest.ts';
import { operatorCommands } from '#conductor/operate/commands';
import { registerOperatorCommand } from '#conductor/operate/operator-command';
import { programWords } from '#conductor/host/program-words';
import { run } from '#conductor/host/run';
import { UsageError } from './typed-value.ts';
import { describeVersion, version } from './version.ts';

function createProgram(): Command {
  const program = new Command('conductor').description('keeps a rollup sequencer highly available').version(version);
  devnetCommand(program);
  devSequencerCommand(program);
  importCommand(program);
  exportCommand(program);
  healthcheckCommand(program);
  consoleCommand(program);
  runbookCommand(program);
  for (const command of operatorCommands) registerOperatorCommand(program, command);
  completionCommand(program);
  manCommand(program, () => listed(program));
  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${describeVersion()}\n`));
  return program;
}

/** Ends the process with the exit code of the run. */
async function runConductor(words: readonly string[], program: Command): Promise<never> {
  exitWithParent();
  proxiesAsInGo(process.env);
  let logger = createLogger({ level: 'info', format: 'text', hasColor: false, hasPid: false });
  try {
    const commands = listed(program).map((command) => command.name);
    const parse = (): ParsedFlags => parseFlags(words, process.env, commands);
    const parsed = parse();
    if (parsed.wantsHelp)
      return print(helpText({ version, commands: listed(program), columns: process.stdout.columns ?? 80 }));
    if (parsed.wantsVersion) return print(`${describeVersion()}\n`);
    logger = createLogger(logConfig(parsed.values));
    for (const name of parsed.unknownVariables)
      logger.log('warn', 'Unknown env var', { prefix: 'OP_CONDUCTOR', env_var: name });
    const { values } = parsed;
    const readValues = (): ParsedFlags['values'] => told(parse(), logger);
    process.exit(await run({ config: runConfig(told(parsed, logger)), values, readValues, logger, version }));
  } catch (thrown) {
    // What stands first on the screen when the command line is at fault, as op-conductor writes it.
    if (thrown instanceof UsageError)
      process.stdout.write(
        `Incorrect Usage: ${thrown.message}\n\nSee conductor --help for all flags and commands.\n\n`,
      );
    reportFailure(logger, thrown);
    process.exit(1);
  }
}

/** The values, after the log has been told which lines of the file do not count. */
function told({ values, overridden }: ParsedFlags, logger: Logger): ParsedFlags['values'] {
  if (overridden.length > 0)
    logger.log('info', 'options in the file of --config that a flag or a variable overrides', {
      options: overridden.join(' '),
    });
  return values;
}

/** The commands a person may want; hidden ones are started by others. */
function listed(program: Command): { name: string; doc: string }[] {
  const others = program.createHelp().visibleCommands(program);
  return [
    { name: 'run', doc: 'run the conductor, as without a command' },
    ...others.map((command) => ({ name: command.name(), doc: command.description() })),
  ];
}

/** A first word that is no flag was meant to be a command. */
function refuseCommand(word: string, program: Command): never {
  const meant = nearest(
    word,
    listed(program).map(({ name }) => name),
  );
  const advice = meant === null ? 'conductor --help lists them' : `did you mean ${meant}?`;
  process.stderr.write(`"${word}" is no command; ${advice}\n`);
  process.exit(exitUsage);
}

function print(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

/** The words of `conductor run`: all of them, without the command where it is given. */
function runWords(words: readonly string[]): readonly string[] {
  if (words[0] === 'help' && (words.length === 1 || words[1] === 'run')) return ['--help'];
  return words[0] === 'run' ? words.slice(1) : words;
}

directToLoopback(process.env);
const program = createProgram();
const words = programWords(process.argv);
const commands = program.commands.map((command) => command.name());
const commandWord = words[0] === 'help' ? words[1] : words[0];
if (commandWord !== undefined && commands.includes(commandWord)) await program.parseAsync(words, { from: 'user' });
else if (commandWord === undefined || commandWord.startsWith('-') || commandWord === 'run')
  await runConductor(runWords(words), program);
else refuseCommand(commandWord, program);
