/**
 * One child under test that is started again and again: its output goes to a file, it can be killed,
 * asked to end, stopped and continued. Our programs end by themselves when the test's process is gone.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Subprocess } from 'bun';
import { PARENT_VARIABLE } from '#conductor/dev-sequencer/parent-watch';
import { HopelessError, waitFor } from './wait.ts';

const LOG_TAIL_BYTES = 3000;
const END_MS_MAX = 30_000;

export class ChildProcess {
  readonly name: string;
  readonly logPath: string;
  #child: Subprocess | null = null;
  #isFrozen = false;

  constructor(name: string, logPath: string) {
    this.name = name;
    this.logPath = logPath;
  }

  /** Runs and is not stopped by `freeze`. */
  get isRunning(): boolean {
    return this.#child !== null && !this.#isFrozen && !this.#hasEnded();
  }

  /** Was not started, or its end was waited for; false for one that ended unasked. */
  get isDown(): boolean {
    return this.#child === null;
  }

  /** Ended by itself, and its end was not waited for yet. */
  get hasEnded(): boolean {
    return this.#hasEnded();
  }

  /** Throws while it was never started. */
  get pid(): number {
    if (this.#child === null) throw new Error(`${this.name} is not running`);
    return this.#child.pid;
  }

  /** What all its lives wrote. */
  log(): string {
    return readFileSync(this.logPath, 'utf8');
  }

  start(command: readonly string[]): void {
    if (this.#child !== null && !this.#hasEnded()) throw new Error(`${this.name} is running already`);
    const log = openSync(this.logPath, 'a');
    // Named for the tests; to a conductor it is an unknown variable with the prefix of its flags.
    const { OP_CONDUCTOR_BIN: _, ...env } = process.env;
    this.#child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: log,
      stderr: log,
      env: { ...env, [PARENT_VARIABLE]: String(process.pid) },
    });
    closeSync(log);
    this.#isFrozen = false;
  }

  /** kill −9 and the end of it; nothing when it does not run. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends a signal and waits until it is gone; resolves with its exit code, null after a deadly signal. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    child.kill(signal);
    return this.ended();
  }

  /** Waits until it is gone by itself; resolves with its exit code. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    await waitFor(`${this.name} to end`, END_MS_MAX, () => (this.#hasEnded() ? true : null));
    this.#child = null;
    return child.exitCode;
  }

  /** SIGSTOP: it keeps its sockets and answers nothing. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
    this.#isFrozen = true;
  }

  /** SIGCONT; nothing when it is not stopped. */
  thaw(): void {
    if (this.#isFrozen) process.kill(this.pid, 'SIGCONT');
    this.#isFrozen = false;
  }

  /** Throws a HopelessError with the end of its log when it is not alive. */
  requireAlive(): void {
    if (this.#child !== null && !this.#hasEnded()) return;
    throw new HopelessError(`${this.name} has ended:\n${this.log().slice(-LOG_TAIL_BYTES)}`);
  }

  #hasEnded(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }
}
