/** Whether a volume has room, asked before anything is written: a full disk ends the conductor that shares it. */
import { statfsSync } from 'node:fs';
import { Refusal } from './refusal.ts';

/** Left free for the conductor that may be running beside us: its log grows meanwhile. */
const sparedBytes = 4 * 1024 * 1024;

/** Bytes an ordinary user may still write in a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws Refusal 'space'. */
export function requireSpace(folder: string, bytes: number, what: string): void {
  const free = freeBytes(folder);
  if (free >= bytes + sparedBytes) return;
  throw new Refusal(
    'space',
    `${what} needs ${megabytes(bytes + sparedBytes)}, and ${folder} has ${megabytes(free)} left. Nothing was changed. Free space there, or name a place on another volume.`,
  );
}

/** What was thrown while writing, said as a refusal where the disk was full after all. */
export function spaceRefusalFrom(thrown: unknown, folder: string, what: string): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'disk-full') return thrown;
  return new Refusal(
    'space',
    `${what} found no room left in ${folder} while it was written, and was removed again. Free space there, or name a place on another volume.`,
    thrown,
  );
}

/** A size for people. */
export function megabytes(bytes: number): string {
  return bytes < 100_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}
