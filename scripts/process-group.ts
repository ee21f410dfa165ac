/**
 * Runs a command in a process group of its own, so that everything it started can be ended with it:
 * tests start servers, and none may outlive the run.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Between asking a group to end and ending it. */
const KILL_AFTER_MS = 5_000;

export interface GroupOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Gets what the program prints, line by line; without it that goes to our output. Errors always go to ours. */
  readonly onLine?: (line: string) => void;
}

let current: number | null = null;
let isEnding = false;

/**
 * There is no input. Resolves to the exit code, 127 when the program cannot be started;
 * never once a signal has come, so that nothing follows.
 */
export function runGroup(program: string, args: readonly string[], options: GroupOptions): Promise<number> {
  const { onLine, ...rest } = options;
  return new Promise((resolve) => {
    if (isEnding) return;
    const output = onLine === undefined ? 'inherit' : 'pipe';
    const child = spawn(program, args, { ...rest, detached: true, stdio: ['ignore', output, 'inherit'] });
    if (child.stdout !== null && onLine !== undefined) createInterface(child.stdout).on('line', onLine);
    current = child.pid ?? null;
    child.on('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      current = null;
      resolve(127);
    });
    child.on('exit', (code) => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      current = null;
      if (!isEnding) resolve(code ?? 1);
    });
  });
}

/** On SIGINT, SIGTERM or SIGHUP: ends the running group, then this process with 128 + the signal's number. */
export function endGroupOnSignals(): void {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  for (const [signal, number] of Object.entries(numbers)) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      void endGroup().then(() => process.exit(128 + number));
    });
  }
}

async function endGroup(): Promise<void> {
  const group = current;
  if (group === null || !signalGroup(group, 'SIGTERM')) return;
  const deadline = performance.now() + KILL_AFTER_MS;
  while (signalGroup(group, 0) && performance.now() < deadline) await Bun.sleep(20);
  signalGroup(group, 'SIGKILL');
}

/** False when the group has no process left; signal 0 only asks. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
