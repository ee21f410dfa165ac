/**
 * One procedure at a time on a cluster: a file beside the journal for each cluster file, and one for each conductor in
 * a folder that all users of the machine share, so that those are kept out, too, who name it with `--rpc` or in another
 * file. Where nothing can be written nobody is kept out: an emergency must not wait for a folder.
 */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePidLock, type LockHolder } from '#conductor/adapters/process/pid-lock';

/** In the environment of deploy commands: the process whose procedure they are part of, which does not keep them out. */
export const PROCEDURE_VARIABLE = 'CONDUCTOR_PROCEDURE';
/** Everybody's, each name its owner's. */
const SHARED_MODE = 0o1777;
const MODE_BITS = 0o7777;

/** Another procedure is under way; the message names its process. */
export class ClusterLockedError extends Error {
  readonly code = 'LOCKED';
}

/** Where the lock of a cluster file is. */
export function lockPath(clusterFile: string): string {
  return `${clusterFile.replace(/\.toml$/, '')}.lock`;
}

/** A cluster as far as it is locked. */
export interface LockedCluster {
  /** Its cluster file; null with `--rpc`. */
  readonly path: string | null;
  /** URLs of its conductors. */
  readonly conductors: readonly string[];
}

/** Takes all locks for `command`, a name; the returned function gives them back. Throws ClusterLockedError. */
export function lockCluster({ path, conductors }: LockedCluster, command: string): () => void {
  const file = path === null ? [] : [{ path: lockPath(path), what: 'this cluster file' }];
  const folder = sharedFolder();
  const shared = conductors.toSorted().map((url) => ({
    path: join(folder ?? '', `${nameOf(url)}.lock`),
    what: `the conductor at ${new URL(url).host}`,
  }));
  const taken: (() => void)[] = [];
  const giveAllBack = (): void => {
    for (const one of taken.toReversed()) one();
  };
  try {
    for (const lock of [...file, ...(folder === null ? [] : shared)]) taken.push(take(lock, command));
  } catch (error) {
    giveAllBack();
    throw error;
  }
  return giveAllBack;
}

/** The same for all ways to write the URL of one conductor that can be told from outside. */
function nameOf(url: string): string {
  const { hostname: host, port, protocol, pathname } = new URL(url);
  const machine = ['localhost', '[::1]'].includes(host) ? '127.0.0.1' : host;
  const place = `${machine}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}${pathname.replace(/\/+$/, '')}`;
  return place.replaceAll(/[^a-zA-Z0-9.-]/g, '_');
}

/**
 * Where all users may put a lock and each may take away their own only, as in /tmp itself. Null where it cannot be had, or
 * is not so: whoever owns a folder without the sticky bit could take away what others hold.
 */
function sharedFolder(): string | null {
  const folder = join(tmpdir(), 'conductor-locks');
  try {
    mkdirSync(folder, { recursive: true });
    const found = lstatSync(folder);
    if (!found.isDirectory()) return null;
    if ((found.mode & MODE_BITS) === SHARED_MODE) return folder;
    // Only its owner can; for others this throws.
    chmodSync(folder, SHARED_MODE);
    return folder;
  } catch {
    return null;
  }
}

function take({ path, what }: { readonly path: string; readonly what: string }, command: string): () => void {
  const lock = takePidLock(path, command);
  if (lock.kind === 'taken') return lock.giveBack;
  if (lock.kind === 'contended') throw new ClusterLockedError(`others take ${path} all the time; try again`);
  // Another user's in a folder where only they may take it away holds nobody back either.
  if (lock.kind === 'unwritable') return () => undefined;
  const { holder } = lock;
  if (holder !== null && String(holder.pid) === process.env[PROCEDURE_VARIABLE]) return () => undefined;
  throw new ClusterLockedError(whyHeld(holder, { path, what }));
}

/** Why the holder keeps others out, as a sentence. */
function whyHeld(
  holder: LockHolder | null,
  { path, what: on }: { readonly path: string; readonly what: string },
): string {
  if (holder === null) return `${path} is damaged; delete it when no procedure is under way`;
  const { pid, host, command } = holder;
  const what = `conductor ${command} is under way on ${on}: process ${pid}`;
  if (host !== hostname()) return `${what} on ${host}; delete ${path} if it is gone`;
  return `${what}; wait for its end, or interrupt it: kill -INT ${pid}`;
}
