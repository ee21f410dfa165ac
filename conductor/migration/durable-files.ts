/** Small file operations that have reached the disk when they return. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Writes a whole file and syncs it; its name becomes durable with syncDirectory. */
export function writeDurably(path: string, content: Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'w', mode);
  try {
    writeFully(descriptor, content, null);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all bytes at an offset, or at the file's position for null. */
export function writeFully(descriptor: number, bytes: Uint8Array, at: number | null): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, at === null ? null : at + done);
}
