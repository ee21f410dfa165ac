/**
 * What the operators' commands have in common: how each is registered, the options that name the cluster, the
 * errors that end it with a sentence, and how a procedure is run from the command line.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { messageOf } from '#conductor/core/errors';
import { whyAnyUnderWay } from './begun-deployment.ts';
import { chooseCluster, CLUSTER_VARIABLE } from './cluster-choice.ts';
import { ClusterConfigError, type ClusterConfig } from './cluster-config.ts';
import { ClusterLockedError, lockCluster, PROCEDURE_VARIABLE, type LockedCluster } from './cluster-lock.ts';
import { confirmOnTerminal } from './confirm.ts';
import { exitCodeOf, exitCodes, exitCodesHelp } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import { idleOption, namesIn, withKnownIdle } from './known-idle.ts';
import { openCluster, type ClusterAccess } from './observe.ts';
import { OperatorUsageError, RefusedError } from './operator-errors.ts';
import { Output } from './output.ts';
import { ProcedureReport } from './procedure-report.ts';
import { runProcedure } from './procedure.ts';
import { commandLine } from './shell-words.ts';
import type { Procedure } from './step.ts';
import type { Flags } from './command-flags.ts';

export { OperatorUsageError, RefusedError } from './operator-errors.ts';

/** Longest --timeout, seconds. */
const TIMEOUT_SECONDS_MAX = 86_400;

/** One command; the table in commands.ts holds all of them. */
export interface OperatorCommand {
  readonly name: string;
  /** One line for lists, starting with a verb. */
  readonly description: string;
  /** As commander writes them: '<id>', '[ids...]'. */
  readonly arguments?: readonly { readonly name: string; readonly doc: string }[];
  readonly options?: readonly { readonly flags: string; readonly doc: string }[];
  /** 'procedure' adds --dry-run, --yes, --timeout and --idle; 'look' changes nothing; 'own' asks for no cluster. */
  readonly kind: 'procedure' | 'look' | 'own';
  /** A procedure that may be given while a deploy command of a killed run still runs: it takes nobody's vote. */
  readonly isForEmergencies?: true;
  /** What it does in order, when it refuses, and what is left to do: lines of --help. */
  readonly details: string;
  /** Full command lines; at least one. */
  readonly examples: readonly [string, ...string[]];
  /** The exit code. A UsageError or ClusterConfigError it throws is told as such. */
  run(task: OperatorTask): Promise<number>;
}

/** What a command works with. */
export interface OperatorTask {
  /** Arguments in order, lists flattened. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly output: Output;
  /** Throws for kind 'own'. */
  readonly config: ClusterConfig;
  readonly access: ClusterAccess;
  /** Runs a procedure to its end and tells it; the exit code. */
  execute(procedure: Procedure): Promise<number>;
}

/** Registers a command with its options, help and exit codes. */
export function registerOperatorCommand(parent: Command, definition: OperatorCommand): void {
  const command = parent.command(definition.name).description(definition.description);
  for (const { name, doc } of definition.arguments ?? []) command.argument(name, doc);
  for (const { flags, doc } of definition.options ?? []) command.option(flags, doc);
  if (definition.kind === 'procedure') {
    command
      .option('--dry-run', 'print each step, what is looked at before it, and what would refuse it; change nothing')
      .option('--yes', 'do not ask before blocks stop for a moment')
      .option('--timeout <seconds>', 'longest wait for each step and deploy command, instead of its own')
      .option(idleOption.flags, idleOption.doc);
  }
  if (definition.kind !== 'own') {
    command
      .option('--cluster <file>', `cluster file (or ${CLUSTER_VARIABLE}; ./conductor.toml where there is one)`)
      .option(
        '--rpc <urls>',
        "the conductors' RPC URLs with commas between, instead of a cluster file; id=URL says whose",
      )
      .option('--token-file <file>', 'bearer token for admin methods')
      .option('--ca-file <file>', 'certificates that https servers are checked against');
  }
  command
    .option('--json', definition.kind === 'procedure' ? 'print one JSON object per event' : 'print one JSON document')
    .addHelpText('after', helpEnd(definition))
    .showHelpAfterError(usageAdvice(definition))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.done : exitCodes.usage))
    .action(async (...given: unknown[]) => {
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word): word is string => typeof word === 'string');
      const flags = given.at(-2) as Flags;
      const output = new Output(flags['json'] === true);
      const exitCode = await run(definition, words, { flags, output });
      await output.end();
      process.exit(exitCode);
    });
}

function usageAdvice({ name, arguments: words = [] }: OperatorCommand): string {
  const expected = words.map((word) => `${word.name}: ${word.doc}`).join('; ');
  return `Takes ${expected === '' ? 'no words' : expected}. conductor ${name} --help tells the options.`;
}

function helpEnd({ details, examples, kind }: OperatorCommand): string {
  const lines = examples.map((example) => `  ${example}`);
  const ofPlan =
    kind === 'procedure'
      ? '\nWith --dry-run 3 says that a step would be refused, as far as that can be seen\nbefore those above it are done.'
      : '';
  return `\n${details}\n\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}\n\n${exitCodesHelp}${ofPlan}`;
}

async function run(
  definition: OperatorCommand,
  words: readonly string[],
  { flags, output }: Pick<OperatorTask, 'flags' | 'output'>,
): Promise<number> {
  try {
    const task = taskOf(definition, words, { flags, output });
    const isChange = definition.kind === 'procedure' && flags['dryRun'] !== true;
    const unlock = isChange ? lockCluster(lockedBy(task.config), definition.name) : null;
    try {
      if (isChange && definition.isForEmergencies !== true) seeNoneUnderWay(task.config);
      return await definition.run(task);
    } finally {
      unlock?.();
    }
  } catch (error) {
    const isRefused = error instanceof RefusedError || error instanceof ClusterLockedError;
    const isUsage = error instanceof ClusterConfigError || error instanceof OperatorUsageError;
    const exitCode = isRefused ? exitCodes.refused : isUsage ? exitCodes.usage : exitCodes.failed;
    output.json({ event: 'end', outcome: isRefused ? 'refused' : 'failed', exitCode, reason: messageOf(error) });
    output.complain(`${definition.name}: ${messageOf(error)}`);
    return exitCode;
  }
}

/** A deploy command that outlived its run may take a server down; what it runs itself is part of it. */
function seeNoneUnderWay({ path, servers }: ClusterConfig): void {
  if (path === null || process.env[PROCEDURE_VARIABLE] !== undefined) return;
  const why = whyAnyUnderWay(path, servers);
  if (why !== null) throw new RefusedError(why);
}

function lockedBy({ path, servers }: ClusterConfig): LockedCluster {
  return { path, conductors: servers.map(({ conductor }) => conductor) };
}

function taskOf(
  definition: OperatorCommand,
  words: readonly string[],
  { flags, output }: Pick<OperatorTask, 'flags' | 'output'>,
): OperatorTask {
  if (definition.kind === 'own') {
    const refuse = (): never => {
      throw new RangeError(`${definition.name} asks for no cluster`);
    };
    return {
      words,
      flags,
      output,
      execute: refuse,
      get config() {
        return refuse();
      },
      get access() {
        return refuse();
      },
    };
  }
  const named = {
    cluster: textOf(flags, 'cluster'),
    rpc: textOf(flags, 'rpc'),
    tokenFile: textOf(flags, 'tokenFile'),
    caFile: textOf(flags, 'caFile'),
  };
  const config = chooseCluster(named, process.env);
  const access = withKnownIdle(openCluster(config), namesIn(textOf(flags, 'idle')));
  return {
    words,
    flags,
    output,
    config,
    access,
    execute: (procedure) => performProcedure(procedure, { flags, output, access }),
  };
}

async function performProcedure(
  procedure: Procedure,
  { flags, output, access }: Pick<OperatorTask, 'flags' | 'output' | 'access'>,
): Promise<number> {
  const isDryRun = flags['dryRun'] === true;
  const timeoutMs = readTimeoutMs(textOf(flags, 'timeout'));
  const report = new ProcedureReport(output, { nowMs: monotonicMs, isDryRun, timeoutMs });
  const interrupts = listenForInterrupts(output, () => report.isBusy);
  const outcome = await runProcedure(procedure, {
    observe: () => access.observe(),
    reporter: report,
    confirm: async (whole, step) =>
      flags['yes'] === true || confirmOnTerminal({ output, interrupts, procedure: whole, step }),
    interrupts,
    isDryRun,
    timeoutMs,
    ignoresQuorum: flags['withoutQuorum'] === true,
    nowMs: monotonicMs,
    sleep: (ms) => sleep(ms),
  });
  interrupts.close();
  report.end(procedure, outcome, commandLine(procedure.command, flags));
  return exitCodeOf(outcome.kind);
}

/** The text of an option; undefined when it is not given. */
export function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

function readTimeoutMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text.replace(/s$/, ''));
  if (text.trim() !== '' && seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX) return seconds * 1000;
  throw new OperatorUsageError(`--timeout must be seconds, more than 0 and at most ${TIMEOUT_SECONDS_MAX}`);
}
