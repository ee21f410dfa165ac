/** A `conductor console` as a test sees it: a process with a link on its output. */
import type { Subprocess } from 'bun';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const READY_MS_MAX = 60_000;

export class ConsoleProcess {
  readonly #child: Subprocess<'ignore', 'pipe', 'inherit'>;
  #seen = '';

  /** `flags` say which clusters; it listens on any free port and keeps nothing, unless they say so. */
  constructor(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const words = [...conductorCommand(), 'console', '--listen', '127.0.0.1:0', '--history', ':memory:', ...flags];
    this.#child = Bun.spawn(words, {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      env: { ...process.env, ...environment },
    });
    void this.#follow();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The link that it printed first. */
  ready(): Promise<string> {
    return waitFor('the link of the console', READY_MS_MAX, () => {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.#seen}`);
      return /^console {6}(http\S+)$/m.exec(this.#seen)?.[1] ?? null;
    });
  }

  /** The newest link: each lets in once. */
  async link(): Promise<string> {
    await this.ready();
    return [...this.#seen.matchAll(/^console {6}(http\S+)$/gm)].at(-1)![1]!;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#child.exited;
  }

  async #follow(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) this.#seen += decoder.decode(chunk, { stream: true });
  }
}
