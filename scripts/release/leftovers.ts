/**
 * What an interrupted release leaves: the folder it was made in, and the file that Bun's compiler writes in the
 * repository's top before it has its name. Both go at the next start and, with a signal, at once.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { abandonedBeside } from './release-folder.ts';

/** A compiler writes its file within seconds; one that nobody has touched for so long is nobody's. */
const IDLE_MS_MIN = 60_000;
/** Exit codes above it are of signals. */
const SIGNALLED = 128;
const COMPILERS_FILE = /^\.[0-9a-f-]+\.bun-build$/;

/** Removes what processes that have ended left, and says what. */
export function removeLeftovers(root: string, out: string): string[] {
  const idle = compilersFiles(root).filter((path) => idleMs(path) > IDLE_MS_MIN);
  const left = [...abandonedBeside(out), ...idle];
  for (const path of left) rmSync(path, { recursive: true, force: true });
  return left;
}

/** From now on the end of this process leaves no `fresh`; one by a signal that is handled, no compiler's file either. */
export function removeAtExit(root: string, fresh: string): void {
  const before = new Set(compilersFiles(root));
  process.once('exit', (code) => {
    rmSync(fresh, { recursive: true, force: true });
    if (code <= SIGNALLED) return;
    for (const path of compilersFiles(root)) if (!before.has(path)) rmSync(path, { force: true });
  });
}

function compilersFiles(root: string): string[] {
  return readdirSync(root)
    .filter((name) => COMPILERS_FILE.test(name))
    .map((name) => join(root, name));
}

function idleMs(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? 0 : Date.now() - status.mtimeMs;
}
