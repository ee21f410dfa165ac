#!/usr/bin/env bun
/**
 * Entry of the binary. Without a command it runs the conductor with op-conductor's flags; the commands
 * (devnet, dev-sequencer, version) have options of their own.
 */
import { Command } from 'commander';
import { createLogger } from '#conductor/adapters/logging';
import { messageOf } from '#conductor/errors';
import { devSequencerCommand } from './dev-sequencer/command.ts';
import { exitWithParent } from './dev-sequencer/parent-watch.ts';
import { devnetCommand } from './devnet/command.ts';
import { exportCommand } from './export-command.ts';
import { logConfig, runConfig } from './flags-config.ts';
import { helpText } from './flags-help.ts';
import { parseFlags, type ParsedFlags } from './flags-parse.ts';
import { importCommand } from './import-command.ts';
import { run } from './run.ts';
import { describeVersion, version } from './version.ts';

function createProgram(): Command {
  const program = new Command('conductor').description('keeps a rollup sequencer highly available').version(version);
  devnetCommand(program);
  devSequencerCommand(program);
  importCommand(program);
  exportCommand(program);
  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${describeVersion()}\n`));
  return program;
}

/** Ends the process with the exit code of the run. */
async function runConductor(words: readonly string[], program: Command): Promise<never> {
  exitWithParent();
  let logger = createLogger({ level: 'info', format: 'text', hasColor: false, hasPid: false });
  try {
    const parsed: ParsedFlags = parseFlags(words, process.env);
    if (parsed.wantsHelp) return print(helpText(version, listed(program)));
    if (parsed.wantsVersion) return print(`${describeVersion()}\n`);
    logger = createLogger(logConfig(parsed.values));
    for (const name of parsed.unknownVariables)
      logger.log('warn', 'unknown env var', { prefix: 'OP_CONDUCTOR', env_var: name });
    process.exit(await run({ config: runConfig(parsed.values), logger, version }));
  } catch (thrown) {
    logger.crit('Application failed', { message: messageOf(thrown) });
    process.exit(1);
  }
}

/** The commands a person may want; hidden ones are started by others. */
function listed(program: Command): { name: string; doc: string }[] {
  const help = program.createHelp();
  return help.visibleCommands(program).map((command) => ({ name: command.name(), doc: command.description() }));
}

function print(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

const program = createProgram();
const words = process.argv.slice(2);
const isCommand = words[0] === 'help' || program.commands.some((command) => command.name() === words[0]);
if (isCommand) await program.parseAsync(process.argv);
else await runConductor(words, program);
