/**
 * Where benchmarks put what they do not keep: everything is below .cache/bench, on the disk of the repository, never on
 * a memory file system that makes fsync free. Clusters and bodies of one run are in a folder with its process's number.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '#conductor/adapters/process/process-identity';

const repository = join(import.meta.dirname, '..');
/** What a run leaves is called by words, the number of its process, and perhaps more. */
const LEFTOVER = /^[a-z0-9]+(?:-[a-z]+)*-(\d+)(?:[-.]|$)/;

/** Lock, programs, and results that are not kept. */
export function benchDirectory(): string {
  return made(join(repository, '.cache/bench'));
}

/** Of this run alone; removed when the run ends. */
export function runDirectory(): string {
  return made(join(benchDirectory(), `run-${process.pid}`));
}

/** From now on the end of this process removes what it put into `runDirectory`; kill −9 leaves that to the next run. */
export function removeRunDirectoryAtExit(): void {
  process.once('exit', () => {
    try {
      rmSync(runDirectory(), { recursive: true, force: true });
    } catch {
      // Somebody still writes there; the next run removes it.
    }
  });
}

/** Removes what interrupted and killed runs left in `directory`, but nothing of a process that lives; returns the names. */
export function removeLeftovers(directory: string): string[] {
  const isLeft = (name: string): boolean => {
    const pid = Number(LEFTOVER.exec(name)?.[1] ?? Number.NaN);
    return !Number.isNaN(pid) && (pid === process.pid || !isAlive(pid));
  };
  const names = readdirSync(directory).filter(isLeft);
  for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  return names;
}

function made(directory: string): string {
  mkdirSync(directory, { recursive: true });
  return directory;
}
