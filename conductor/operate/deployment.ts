/** How something gets onto a server: a shell command of the cluster file, or a person who says when it is done. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { createInterface as createQuestion } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetBegun, noteBegun } from './begun-deployment.ts';
import type { ServerConfig } from './cluster-config.ts';
import { PROCEDURE_VARIABLE } from './cluster-lock.ts';
import type { Output } from './output.ts';
import { StepStoppedError, type StepLimits } from './step.ts';

/** Longest time a command may take unless --timeout says otherwise, milliseconds. */
const COMMAND_MS_MAX = 30 * 60_000;
/** From being asked to end to being killed, milliseconds. */
const END_MS_MAX = 5000;
/** How long output is waited for that something keeps open which a command left running, milliseconds. */
const LAST_OUTPUT_MS_MAX = 500;
const LOOK_EVERY_MS = 100;
/** Letters of a line of its output that are shown. */
const LINE_LENGTH_MAX = 2000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface DeploymentCommand {
  readonly command: string;
  readonly server: ServerConfig;
  readonly variables: Readonly<Record<string, string>>;
  readonly output: Output;
  /** It runs in its folder, and is noted in the journal beside it from its beginning to its end. */
  readonly clusterFile: string;
}

/**
 * Runs the command with SERVER_ID, CONDUCTOR_URL, NODE_URL, EXECUTION_URL and CONSENSUS_ADDRESS in its environment,
 * those that the cluster file tells. Its output goes to stderr. Rejects unless it ends with 0; what it left running
 * is not waited for. It has no terminal: Ctrl-C does not reach it. When the time is over or it is to be stopped, it
 * and all that it started are ended, and it rejects with StepStoppedError.
 */
export async function runDeployment(what: DeploymentCommand, limits: StepLimits): Promise<void> {
  const { command, output, clusterFile, server } = what;
  const child = spawn('/bin/sh', ['-c', command], {
    env: environmentOf(what),
    cwd: dirname(clusterFile),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    if (child.pid !== undefined) noteBegun(clusterFile, server, { pid: child.pid, command });
  } catch (error) {
    signalGroup(child, 'SIGKILL');
    throw error;
  }
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => output.complain(`    ${line.slice(0, LINE_LENGTH_MAX)}`));
  const closed = once(child, 'close').catch(() => undefined);
  const timeoutMs = limits.timeoutMs ?? COMMAND_MS_MAX;
  const [end, stopped] = await Promise.all([ended(child), endInTime(child, { ...limits, timeoutMs })]);
  forgetBegun(clusterFile, server);
  await Promise.race([closed, sleep(LAST_OUTPUT_MS_MAX)]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (end instanceof Error) throw new Error(`"${command}" could not be started: ${end.message}`, { cause: end });
  if (stopped === 'deadline')
    throw new StepStoppedError('deadline', `"${command}" was ended, because it took longer than ${timeoutMs / 1000} s`);
  if (stopped === 'interrupted') throw new StepStoppedError('interrupted', `"${command}" was interrupted`);
  if (end !== 'code 0') throw new Error(`"${command}" ended with ${end}`);
}

function environmentOf({ server, variables }: DeploymentCommand): NodeJS.ProcessEnv {
  const told: Readonly<Record<string, string | null>> = {
    SERVER_ID: server.id,
    CONDUCTOR_URL: server.conductor,
    NODE_URL: server.node,
    EXECUTION_URL: server.execution,
    CONSENSUS_ADDRESS: server.consensus,
  };
  const known: Record<string, string> = { [PROCEDURE_VARIABLE]: String(process.pid) };
  for (const [name, value] of Object.entries(told)) if (value !== null) known[name] = value;
  return { ...process.env, ...known, ...variables };
}

/** How the command itself ended; an Error when it was never begun. */
async function ended(child: ChildProcess): Promise<string | Error> {
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code, signal) => resolve(code === null ? `signal ${signal}` : `code ${code}`));
  });
}

/** Ends the command, and what it started, where it must; resolves when it has ended, with why it had to. */
async function endInTime(
  child: ChildProcess,
  { timeoutMs, isStopped }: StepLimits & { readonly timeoutMs: number },
): Promise<StepStoppedError['kind'] | null> {
  const isOver = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const until = async (condition: () => boolean, waitMs: number): Promise<void> => {
    const deadlineMs = performance.now() + waitMs;
    while (!isOver() && !condition() && performance.now() < deadlineMs) await sleep(LOOK_EVERY_MS);
  };
  await until(isStopped, timeoutMs);
  if (isOver()) return null;
  signalGroup(child, 'SIGTERM');
  await until(() => false, END_MS_MAX);
  signalGroup(child, 'SIGKILL');
  return isStopped() ? 'interrupted' : 'deadline';
}

/** To the command and all that it started, as far as they did not leave its process group. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** Asks somebody on the terminal to do it and waits for Enter. Rejects with StepStoppedError when that is not to come. */
export async function askToDeploy(output: Output, what: string, { timeoutMs }: StepLimits): Promise<void> {
  output.line(`  Now ${what}.`);
  const question = createQuestion({ input: process.stdin, output: process.stdout });
  const cancelled = new AbortController();
  const timer = timeoutMs === null ? undefined : setTimeout(() => cancelled.abort(), timeoutMs);
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    cancelled.abort();
  };
  question.on('SIGINT', () => process.emit('SIGINT'));
  // Ctrl-D, or a terminal that is closed.
  question.once('close', interrupt);
  for (const signal of signals) process.once(signal, interrupt);
  output.isAsking = true;
  try {
    await question.question('  Press Enter when it is done. ', { signal: cancelled.signal });
  } catch (error) {
    throw isInterrupted || timeoutMs === null
      ? new StepStoppedError('interrupted', 'interrupted before it was done', { cause: error })
      : new StepStoppedError('deadline', `nobody said within ${timeoutMs / 1000} s that it is done`, { cause: error });
  } finally {
    output.isAsking = false;
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, interrupt);
    question.close();
  }
}
