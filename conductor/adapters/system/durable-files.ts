/** Small file operations that have reached the disk when they return. */
import { fsyncSync, rmSync, writeSync } from 'node:fs';
import { openFile } from './open-file.ts';

/**
 * Writes a whole file and syncs it; its name becomes durable with syncDirectory. Whatever had the name is gone, and is never
 * written through: root may run this in a folder of somebody else, who could have put a link there.
 */
export function writeDurably(path: string, content: Uint8Array, mode: number): void {
  rmSync(path, { force: true });
  using file = openFile(path, 'wx', mode);
  writeFully(file.descriptor, content, null);
  fsyncSync(file.descriptor);
}

/** Writes all bytes at an offset, or at the file's position for null. */
export function writeFully(descriptor: number, bytes: Uint8Array, at: number | null): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, at === null ? null : at + done);
}
