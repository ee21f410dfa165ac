/**
 * One procedure at a time on a cluster: a file beside the journal for each cluster file, and one for each conductor in
 * a folder that all users of the machine share, so that those are kept out, too, who name it with `--rpc` or in another
 * file. A file names the process that is at it. It is made complete and then linked to its name, so that of two only
 * one gets it, and it counts for nothing once that process is gone. Where nothing can be written nobody is kept out: an
 * emergency must not wait for a folder.
 */
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, processOf, type ProcessIdentity } from './process-identity.ts';

/** In the environment of deploy commands: the process whose procedure they are part of, which does not keep them out. */
export const PROCEDURE_VARIABLE = 'CONDUCTOR_PROCEDURE';
/** Everybody's, each name its owner's. */
const SHARED_MODE = 0o1777;
const MODE_BITS = 0o7777;
/** How often a file of a process that is gone is taken away, when others do the same. */
const TRIES_MAX = 5;

/** Another procedure is under way; the message names its process. */
export class ClusterLockedError extends Error {
  readonly code = 'LOCKED';
}

interface Holder extends ProcessIdentity {
  readonly host: string;
  readonly command: string;
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
  const own = `${path}.${process.pid}`;
  const holder: Holder = {
    pid: process.pid,
    started: processOf(process.pid)?.started ?? '',
    host: hostname(),
    command,
  };
  const text = `${JSON.stringify(holder)}\n`;
  try {
    rmSync(own, { force: true });
    writeFileSync(own, text, { mode: 0o644, flag: 'wx' });
  } catch {
    return () => undefined;
  }
  try {
    for (let tried = 0; tried < TRIES_MAX; tried += 1) {
      if (link(own, path)) return () => giveBack(path, text);
      const found = read(path);
      if (found === null) continue;
      const other = parse(found);
      if (other !== null && String(other.pid) === process.env[PROCEDURE_VARIABLE]) return () => undefined;
      const why = whyHeld(other, { path, what });
      if (why !== null) throw new ClusterLockedError(why);
      // Another user's, in a folder where only they may take it away: it holds nobody back, and nothing can be written.
      if (!takeAway(path, found)) return () => undefined;
    }
    throw new ClusterLockedError(`others take ${path} all the time; try again`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Whether the name was free. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Why the holder keeps others out, as a sentence; null when it is gone. */
function whyHeld(
  holder: Holder | null,
  { path, what: on }: { readonly path: string; readonly what: string },
): string | null {
  if (holder === null) return `${path} is damaged; delete it when no procedure is under way`;
  const { pid, host, command } = holder;
  const what = `conductor ${command} is under way on ${on}: process ${pid}`;
  if (host !== hostname()) return `${what} on ${host}; delete ${path} if it is gone`;
  if (!isRunning(holder)) return null;
  return `${what}; wait for its end, or interrupt it: kill -INT ${pid}`;
}

/** Removes a file whose process is gone; one that somebody put there meanwhile is put back. False where that is not allowed. */
function takeAway(path: string, found: string): boolean {
  const aside = `${path}.${process.pid}.gone`;
  try {
    renameSync(path, aside);
    if (read(aside) !== found) link(aside, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['EPERM', 'EACCES'].includes(String(error.code))) return false;
    // Somebody else was faster: the next try tells.
  }
  rmSync(aside, { force: true });
  return true;
}

function giveBack(path: string, text: string): void {
  if (read(path) === text) rmSync(path, { force: true });
}

/** Its content; null when there is no such file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function parse(text: string): Holder | null {
  try {
    const { pid, started, host, command } = JSON.parse(text) as Record<string, unknown>;
    const isGood = Number.isSafeInteger(pid) && typeof pid === 'number' && pid > 0;
    if (!isGood || typeof started !== 'string' || typeof host !== 'string' || typeof command !== 'string') return null;
    return { pid, started, host, command };
  } catch {
    return null;
  }
}
