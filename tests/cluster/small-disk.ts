/**
 * A memory file system of a few megabytes as a disk that can be full. Mounting needs rights that
 * tests do not have everywhere: `mount` then returns why not.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BYTES = 8 * 1024 * 1024;
const FILL_CHUNK_BYTES = 4096;

export class SmallDisk implements Disposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Mounts one at a path, or returns a sentence that says why that is not possible here. */
  static mount(path: string): SmallDisk | string {
    if (process.platform !== 'linux') return 'file systems are mounted on Linux only';
    mkdirSync(path, { recursive: true });
    const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', path], {
      encoding: 'utf8',
    });
    if (status === 0) return new SmallDisk(path);
    return `a small file system cannot be mounted here: ${(error?.message ?? stderr).trim()}`;
  }

  /** Writes until nothing more fits. */
  fill(): void {
    const chunk = new Uint8Array(FILL_CHUNK_BYTES);
    try {
      for (;;) writeFileSync(this.#filler, chunk, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  /** Gives the space back. */
  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['-l', this.path]);
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }
}
