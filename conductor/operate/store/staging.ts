/**
 * A folder beside the goal in which a store is made and checked before it gets its name: whatever kills us, no
 * half-made file ever stands under the name itself. What a killed process left is removed by the next one.
 */
import { existsSync, fsyncSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseFileName, syncDirectory } from '#conductor/adapters/sqlite/directory';
import { processOf } from '#conductor/adapters/process/process-identity';
import { openFile } from '#conductor/adapters/system/open-file';
import { Refusal } from './refusal.ts';

const mark = '.partial-';

export class Staging {
  readonly folder: string;
  /** Path of the database in it. */
  readonly database: string;
  readonly #goal: string;

  /** Makes the folder beside `goal`, the path that the finished file will have. */
  constructor(goal: string) {
    this.#goal = goal;
    removeAbandoned(goal);
    this.folder = `${goal}${mark}${process.pid}`;
    this.database = join(this.folder, databaseFileName);
    mkdirSync(this.folder, { mode: 0o700 });
  }

  /** Gives the finished file its name, durably; throws Refusal 'exists' rather than overwrite anything. */
  publish(): void {
    syncFile(this.database);
    try {
      linkSync(this.database, this.#goal);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EEXIST' || existsSync(this.#goal)) throw alreadyThere(this.#goal, error);
      // A file system without hard links.
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
      renameSync(this.database, this.#goal);
    }
    syncDirectory(dirname(this.#goal));
    this.remove();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Never overwritten: it may be the only good copy. */
export function alreadyThere(path: string, cause?: unknown): Refusal {
  return new Refusal(
    'exists',
    `${path} is there already and is not overwritten. Move it away, or choose another name.`,
    cause,
  );
}

function removeAbandoned(goal: string): void {
  const prefix = `${basename(goal)}${mark}`;
  for (const name of readdirSync(dirname(goal))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
    if (Number.isSafeInteger(pid) && (pid === process.pid || processOf(pid) === null))
      rmSync(join(dirname(goal), name), { recursive: true, force: true });
  }
}

function syncFile(path: string): void {
  using file = openFile(path, 'r');
  fsyncSync(file.descriptor);
}
