/** How something gets onto a server: a shell command of the cluster file, or a person who says when it is done. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createInterface as createQuestion } from 'node:readline/promises';
import type { ServerConfig } from './cluster-config.ts';
import type { Output } from './output.ts';

/** Longest time a command may take, milliseconds; it is asked to end then. */
const COMMAND_MS_MAX = 30 * 60_000;
/** Letters of a line of its output that are shown. */
const LINE_LENGTH_MAX = 2000;

export interface DeploymentCommand {
  readonly command: string;
  readonly server: ServerConfig;
  readonly variables: Readonly<Record<string, string>>;
  readonly output: Output;
  /** Where it runs: the folder of the cluster file. */
  readonly folder: string;
}

/**
 * Runs the command with SERVER_ID, CONDUCTOR_URL, NODE_URL, EXECUTION_URL and CONSENSUS_ADDRESS in its environment,
 * those that the cluster file tells. Its output goes to stderr. Rejects unless it ends with 0. Ctrl-C reaches it, too.
 */
export async function runDeployment({ command, server, variables, output, folder }: DeploymentCommand): Promise<void> {
  const told: Readonly<Record<string, string | null>> = {
    SERVER_ID: server.id,
    CONDUCTOR_URL: server.conductor,
    NODE_URL: server.node,
    EXECUTION_URL: server.execution,
    CONSENSUS_ADDRESS: server.consensus,
  };
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(told)) if (value !== null) known[name] = value;
  const child = spawn('/bin/sh', ['-c', command], {
    env: { ...process.env, ...known, ...variables },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS_MAX,
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => output.complain(`    ${line.slice(0, LINE_LENGTH_MAX)}`));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, by) => resolve([exitCode, by]));
  });
  if (code !== 0) throw new Error(`"${command}" ended with ${code === null ? `signal ${signal}` : `code ${code}`}`);
}

/** Asks somebody on the terminal to do it and waits for Enter. Rejects when it is interrupted. */
export async function askToDeploy(output: Output, what: string): Promise<void> {
  output.line(`  Now ${what}.`);
  const question = createQuestion({ input: process.stdin, output: process.stdout });
  const cancelled = new AbortController();
  question.on('SIGINT', () => {
    process.emit('SIGINT');
    cancelled.abort();
  });
  try {
    await question.question('  Press Enter when it is done. ', { signal: cancelled.signal });
  } catch (error) {
    throw new Error('interrupted before it was done', { cause: error });
  } finally {
    question.close();
  }
}
