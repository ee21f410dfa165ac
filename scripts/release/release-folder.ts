/**
 * The folder that a release goes into. It is replaced as a whole, so it must be new, empty, or hold exactly a release
 * that was made before: whatever else lies there is somebody's, and stays. A release is made beside it and renamed.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isAlive } from '#conductor/adapters/process/process-identity';
import { sha256Of, sumsOf } from './sums.ts';

export const SUMS_FILE = 'SHA256SUMS';
/** How the name of a folder begins in which a release is made; `.gitignore` knows it, too. */
const BESIDE = '.conductor-release-';

/** Folders that no release may take the place of, though they were empty; nor anything that they lie in. */
export interface KeptFolders {
  readonly root: string;
  readonly home: string;
}

/** Throws an Error that says what is in the way, unless a release may be put at `out`, an absolute path. */
export function checkReleaseFolder(out: string, { root, home }: KeptFolders): void {
  const place = realPath(out);
  const kept = [root, home, '/'].find((folder) => isInside(realPath(folder), place));
  if (kept !== undefined)
    throw new Error(`a release would replace ${out}, and ${kept} is ${realPath(kept) === place ? 'that' : 'in it'}`);
  if (!existsSync(place)) return;
  const inTheWay = strangerIn(place);
  if (inTheWay === null) return;
  throw new Error(`${out} is not empty, and a release would replace it: ${inTheWay}. Name a new folder`);
}

/** A new folder beside `out` to make the release in. Its name says whose process it is of. */
export function openBeside(out: string): string {
  mkdirSync(dirname(out), { recursive: true });
  return mkdtempSync(join(dirname(out), `${BESIDE}${process.pid}-`));
}

/** Puts `fresh` at `out`: at any moment there is the whole of one release or the other, or none. */
export function replaceRelease(fresh: string, out: string, kept: KeptFolders): void {
  // Somebody may have put something there meanwhile.
  checkReleaseFolder(out, kept);
  const place = realPath(out);
  if (!existsSync(place)) return renameSync(fresh, place);
  const beside = openBeside(place);
  const former = join(beside, basename(place));
  renameSync(place, former);
  try {
    renameSync(fresh, place);
  } catch (error) {
    renameSync(former, place);
    throw error;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Paths of the folders beside `out` that processes left there which are no more. */
export function abandonedBeside(out: string): string[] {
  const folder = dirname(out);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => {
      const pid = /^(\d+)-\w+$/.exec(name.startsWith(BESIDE) ? name.slice(BESIDE.length) : '')?.[1];
      return pid !== undefined && !isAlive(Number(pid));
    })
    .map((name) => join(folder, name));
}

/** What is in a folder that is no former release of ours, in words; null when there is nothing of the kind. */
function strangerIn(folder: string): string | null {
  if (!statSync(folder).isDirectory()) return 'it is a file';
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.length === 0) return null;
  const names = entries.map(({ name }) => name);
  if (!names.includes(SUMS_FILE) || !names.some((name) => /^conductor-.+-notes\.md$/.test(name)))
    return `${names.toSorted().slice(0, 3).join(', ')} is there, and no release`;
  const odd = entries.find((entry) => !entry.isFile());
  if (odd !== undefined) return `${odd.name} is no file of a release`;
  const stated = readFileSync(join(folder, SUMS_FILE), 'utf8');
  const found = sha256Of(folder).filter(({ name }) => name !== SUMS_FILE);
  if (stated === sumsOf(found)) return null;
  const other = found.find((sum) => !stated.split('\n').includes(sumsOf([sum]).trimEnd()));
  return other === undefined
    ? `${SUMS_FILE} names files that are gone`
    : `${SUMS_FILE} does not name this ${other.name}`;
}

/** Links followed as far as the path exists. */
function realPath(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  return join(realPath(dirname(path)), basename(path));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}
