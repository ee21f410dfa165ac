/**
 * One child of the devnet: started into its own session (so that Ctrl-C reaches only the devnet,
 * which stops its children in order), its output appended to a log file, frozen, killed, restarted.
 */
import { fstatSync } from 'node:fs';
import { openFile } from '#conductor/adapters/system/open-file';
import { messageOf } from '#conductor/core/errors';
import { PARENT_VARIABLE } from '#conductor/dev-sequencer/parent-watch';
import { readComplaint } from './log-complaint.ts';
import { DevnetError } from './options.ts';

/** How a child is doing. */
export type ProcessState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly pid: number; readonly sinceMs: number }
  | { readonly kind: 'frozen'; readonly pid: number; readonly sinceMs: number }
  | { readonly kind: 'down'; readonly reason: string; readonly sinceMs: number };

/** What to run and where its output goes. */
export interface ManagedProcessOptions {
  /** "node-1 conductor"; used in events and errors. */
  readonly name: string;
  readonly logPath: string;
  /** Called after each start with true, after each end with false. */
  readonly onLife: (pid: number, isAlive: boolean) => void;
  /** Called when the process ended, whoever wanted it; the reason says what its log complains of. */
  readonly onExit: (name: string, reason: string, wasExpected: boolean) => void;
}

/** A child that can be started again after it ended. */
export class ManagedProcess {
  readonly name: string;
  readonly logPath: string;
  readonly #options: ManagedProcessOptions;
  #child: Bun.Subprocess | null = null;
  #state: ProcessState = { kind: 'idle' };
  #isEndExpected = false;
  /** Bytes in the log when it was started. */
  #logStart = 0;

  constructor(options: ManagedProcessOptions) {
    this.name = options.name;
    this.logPath = options.logPath;
    this.#options = options;
  }

  get state(): ProcessState {
    return this.#state;
  }

  get isAlive(): boolean {
    return this.#state.kind === 'running' || this.#state.kind === 'frozen';
  }

  /** Starts it with this command line. It must not be alive. Throws DevnetError when the program cannot be run. */
  start(command: readonly string[]): void {
    using log = openFile(this.logPath, 'a');
    this.#logStart = fstatSync(log.descriptor).size;
    const child = spawn(command, log.descriptor);
    this.#child = child;
    this.#isEndExpected = false;
    this.#state = { kind: 'running', pid: child.pid, sinceMs: Date.now() };
    this.#options.onLife(child.pid, true);
    void child.exited.then(() => this.#ended(child));
  }

  /** Kills it at once, as a crash would. `isExpected` when that is part of stopping everything. */
  kill(isExpected = false): void {
    this.#isEndExpected = isExpected;
    this.#child?.kill('SIGKILL');
  }

  /** Stops or continues its execution without telling it. Returns whether it is frozen now. */
  toggleFreeze(): boolean {
    const state = this.#state;
    if (state.kind === 'running') {
      process.kill(state.pid, 'SIGSTOP');
      this.#state = { ...state, kind: 'frozen' };
      return true;
    }
    if (state.kind === 'frozen') {
      process.kill(state.pid, 'SIGCONT');
      this.#state = { ...state, kind: 'running' };
    }
    return false;
  }

  /** Asks it to end, kills it after `graceMs`, and returns when it is gone. */
  async stop(graceMs: number): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#isEndExpected = true;
    child.kill('SIGTERM');
    if (this.#state.kind === 'frozen') child.kill('SIGCONT');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await child.exited;
    clearTimeout(timer);
  }

  /** Returns when it is gone. */
  async ended(): Promise<void> {
    await this.#child?.exited;
  }

  #ended(child: Bun.Subprocess): void {
    const reason =
      child.signalCode === null ? `exited with code ${child.exitCode ?? '?'}` : `ended by ${child.signalCode}`;
    this.#child = null;
    this.#state = { kind: 'down', reason, sinceMs: Date.now() };
    this.#options.onLife(child.pid, false);
    const complaint =
      child.exitCode === 0 || child.signalCode !== null ? null : readComplaint(this.logPath, this.#logStart);
    this.#options.onExit(this.name, complaint === null ? reason : `${reason}: ${complaint}`, this.#isEndExpected);
  }
}

function spawn(command: readonly string[], log: number): Bun.Subprocess {
  try {
    return Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: log,
      stderr: log,
      detached: true,
      env: { ...process.env, [PARENT_VARIABLE]: String(process.pid) },
    });
  } catch (error) {
    throw new DevnetError(`cannot run ${command[0] ?? ''}: ${messageOf(error)}`, { cause: error });
  }
}
