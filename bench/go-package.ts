/**
 * Builds a Go program whose source is in this repository into the git-ignored .tools folder, when its source is newer
 * than what was built before.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MESSAGE_CHARACTERS_MAX = 1000;

export interface GoPackage {
  /** Folder with go.mod and go.sum. */
  readonly source: string;
  /** The program that is built. */
  readonly path: string;
  /** What it is, for the sentence that says why it cannot be built. */
  readonly title: string;
}

/** Whether the program is there and not older than its source. */
export function isBuilt({ source, path }: GoPackage): boolean {
  if (!existsSync(path)) return false;
  const built = statSync(path).mtimeMs;
  return readdirSync(source).every((name) => statSync(join(source, name)).mtimeMs <= built);
}

/** Builds unless that was done; returns null, or a sentence that says why it cannot be built here. */
export async function buildGoPackage(program: GoPackage): Promise<string | null> {
  if (isBuilt(program)) return null;
  if (Bun.which('go') === null) return `Go is not installed, so ${program.title} cannot be built`;
  mkdirSync(dirname(program.path), { recursive: true });
  const build = Bun.spawn(['go', 'build', '-trimpath', '-o', program.path, '.'], {
    cwd: program.source,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [message, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  return code === 0 ? null : `building ${program.title} failed: ${message.trim().slice(-MESSAGE_CHARACTERS_MAX)}`;
}
