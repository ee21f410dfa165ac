/**
 * Compiles an entry and a Bun runtime into one executable file: minified but for names, with bytecode
 * (it starts in half the time) and a source map, so that stack traces name our files. Nothing of the
 * machine goes in: the same sources, packages and commit give the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Target } from './build-targets.ts';

export interface BinaryOptions {
  /** The checkout; source maps name files relative to it. */
  readonly root: string;
  readonly entry: string;
  /** Absolute path of the file to make. */
  readonly outfile: string;
  readonly target: Target;
  /** Path of the Bun executable that becomes part of the file. */
  readonly runtime: string;
  /** Files that become part of it as they are; it finds them by their names (Bun.embeddedFiles). */
  readonly files?: readonly string[];
}

/** Throws with the compiler's messages. The file appears complete or not at all. */
export async function buildBinary({ outfile, ...rest }: BinaryOptions): Promise<void> {
  const folder = mkdtempSync(join(dirname(outfile), '.build-'));
  // The file's own name goes into it.
  const fresh = join(folder, 'conductor');
  try {
    await compile({ ...rest, outfile: fresh });
    chmodSync(fresh, 0o755);
    renameSync(fresh, outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, because names in the source map are relative to where that runs. */
async function compile({ root, entry, outfile, target, runtime, files = [] }: BinaryOptions): Promise<void> {
  const words = [
    ...['build', entry, ...files, '--compile', `--outfile=${outfile}`],
    ...[`--target=bun-${target.name}`, `--compile-executable-path=${runtime}`],
    ...['--format=esm', '--bytecode', '--sourcemap=inline', '--minify-whitespace', '--minify-syntax'],
    ...['--define', `CONDUCTOR_COMMIT=${JSON.stringify(commitOf(root))}`],
    // Files of the folder it is started in must not change what it does.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    // Authorities that this machine trusts, besides the runtime's own: as Go's programs, which know no others.
    '--compile-exec-argv=--use-system-ca',
  ];
  const build = Bun.spawn([process.execPath, ...words], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  // Whoever ends us by a handled signal ends the compiler, too, which otherwise goes on into a folder that is gone.
  const end = (): void => build.kill('SIGKILL');
  process.prependOnceListener('exit', end);
  const [message, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  process.off('exit', end);
  if (code !== 0) throw new Error(`compiling ${entry} for ${target.name} failed: ${message.trim()}`);
}

/** Short name of the commit, with -dirty where tracked files differ from it; '' outside a repository. */
function commitOf(root: string): string {
  const run = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const commit = run('rev-parse', '--short=12', 'HEAD');
  if (commit.status !== 0) return '';
  const changes = run('status', '--porcelain', '--untracked-files=no').stdout.trim();
  return `${commit.stdout.trim()}${changes === '' ? '' : '-dirty'}`;
}
