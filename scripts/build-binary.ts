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
}

/** Throws with the compiler's messages. The file appears complete or not at all. */
export async function buildBinary({ root, entry, outfile, target, runtime }: BinaryOptions): Promise<void> {
  const folder = mkdtempSync(join(dirname(outfile), '.build-'));
  // The file's own name goes into it.
  const fresh = join(folder, 'conductor');
  try {
    await compile({ root, entry, target, runtime, outfile: fresh });
    chmodSync(fresh, 0o755);
    renameSync(fresh, outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile({ root, entry, outfile, target, runtime }: BinaryOptions): Promise<void> {
  await Bun.build({
    root,
    entrypoints: [join(root, entry)],
    format: 'esm',
    bytecode: true,
    sourcemap: 'inline',
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: { CONDUCTOR_COMMIT: JSON.stringify(commitOf(root)) },
    compile: {
      target: `bun-${target.name}` as Bun.Build.CompileTarget,
      executablePath: runtime,
      outfile,
      // Files of the folder it is started in must not change what it does.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
}

/** Short name of the commit, with -dirty where tracked files differ from it; '' outside a repository. */
function commitOf(root: string): string {
  const run = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const commit = run('rev-parse', '--short=12', 'HEAD');
  if (commit.status !== 0) return '';
  const changes = run('status', '--porcelain', '--untracked-files=no').stdout.trim();
  return `${commit.stdout.trim()}${changes === '' ? '' : '-dirty'}`;
}
