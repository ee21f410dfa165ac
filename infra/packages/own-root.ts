/**
 * A root of its own for package managers: this machine's files, as an overlay in a mount namespace of its own, so that what is
 * installed in it, its database and its users are there and nowhere else. Scripts of packages run in it as on any machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class OwnRoot {
  readonly #folder: string;
  readonly #keeper: Bun.Subprocess<'pipe', 'pipe', 'pipe'>;
  /** Where its changed files are to be read; those of this machine are not there. */
  readonly changes: string;

  private constructor(folder: string, keeper: Bun.Subprocess<'pipe', 'pipe', 'pipe'>) {
    this.#folder = folder;
    this.#keeper = keeper;
    this.changes = join(folder, 'changes');
  }

  /** A new one, or why there can be none here: it takes root, and a kernel and a temporary folder that can be overlaid. */
  static async make(): Promise<OwnRoot | string> {
    const folder = mkdtempSync(join(tmpdir(), 'conductor-root-'));
    for (const name of ['changes', 'work', 'root']) mkdirSync(join(folder, name));
    const at = (name: string): string => join(folder, name);
    const script = [
      'set -e',
      `mount -t overlay overlay -o lowerdir=/,upperdir=${at('changes')},workdir=${at('work')} ${at('root')}`,
      // A compiled program reads itself by /proc.
      `mount --rbind /proc ${at('root')}/proc`,
      `mount --rbind /dev ${at('root')}/dev`,
      'echo ready',
      // Ends with whoever holds its input, and the namespace with it.
      'exec cat > /dev/null',
    ];
    const words = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script.join('\n')];
    const keeper = Bun.spawn(words, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
    const { value } = await keeper.stdout.getReader().read();
    if (value !== undefined) return new OwnRoot(folder, keeper);
    const complaint = (await new Response(keeper.stderr).text()).trim();
    rmSync(folder, { recursive: true, force: true });
    return `a root of its own cannot be made here: ${complaint}`;
  }

  /** The words that run `words` in it. */
  command(words: readonly string[]): string[] {
    const { pid } = this.#keeper;
    return ['nsenter', `--mount=/proc/${pid}/ns/mnt`, 'chroot', join(this.#folder, 'root'), ...words];
  }

  /** Runs a program in it to its end. */
  run(words: readonly string[]): { readonly code: number | null; readonly said: string } {
    const [program = '', ...rest] = this.command(words);
    const { status, stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8' });
    return { code: status, said: `${stdout}${stderr}` };
  }

  /** Ends it; programs that still run in it must have been ended before. */
  async remove(): Promise<void> {
    this.#keeper.kill('SIGKILL');
    await this.#keeper.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
