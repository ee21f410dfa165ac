/**
 * A file that keeps a second process out while the first is at work. It names its process. It is made complete and then
 * linked to its name, so that of two only one gets it, and it counts for nothing once that process is gone.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning, processOf, type ProcessIdentity } from './process-identity.ts';

/** How often a file of a process that is gone is taken away, when others do the same. */
const TRIES_MAX = 5;

export interface LockHolder extends ProcessIdentity {
  readonly host: string;
  /** What it is at, a name. */
  readonly command: string;
}

/**
 * What came of it. `holder` is null where the file names no process; that of another host nobody can look for.
 * `unwritable`: nobody can be kept out, because the file cannot be made, or one that is left there not taken away.
 * `contended`: others take it away and put theirs there, again and again.
 */
export type PidLock =
  | { readonly kind: 'taken'; readonly giveBack: () => void }
  | { readonly kind: 'held'; readonly holder: LockHolder | null }
  | { readonly kind: 'unwritable' }
  | { readonly kind: 'contended' };

/** Takes the lock at `path` for `command`, or says why not. */
export function takePidLock(path: string, command: string): PidLock {
  const own = `${path}.${process.pid}`;
  const started = processOf(process.pid)?.started ?? '';
  const text = `${JSON.stringify({ pid: process.pid, started, host: hostname(), command } satisfies LockHolder)}\n`;
  try {
    rmSync(own, { force: true });
    writeFileSync(own, text, { mode: 0o644, flag: 'wx' });
  } catch {
    return { kind: 'unwritable' };
  }
  try {
    for (let tried = 0; tried < TRIES_MAX; tried += 1) {
      const linked = link(own, path);
      if (linked === 'done') return { kind: 'taken', giveBack: () => giveBack(path, text) };
      if (linked === 'impossible') return { kind: 'unwritable' };
      const found = read(path);
      if (found === null) continue;
      const holder = parse(found);
      if (holder === null || holder.host !== hostname() || isRunning(holder)) return { kind: 'held', holder };
      if (!takeAway(path, found)) return { kind: 'unwritable' };
    }
    return { kind: 'contended' };
  } finally {
    rmSync(own, { force: true });
  }
}

/** `impossible`: not because the name is taken, as where the file system has no hard links. */
function link(from: string, to: string): 'done' | 'taken' | 'impossible' {
  try {
    linkSync(from, to);
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'taken' : 'impossible';
  }
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

function parse(text: string): LockHolder | null {
  try {
    const { pid, started, host, command } = JSON.parse(text) as Record<string, unknown>;
    const isGood = Number.isSafeInteger(pid) && typeof pid === 'number' && pid > 0;
    if (!isGood || typeof started !== 'string' || typeof host !== 'string' || typeof command !== 'string') return null;
    return { pid, started, host, command };
  } catch {
    return null;
  }
}
