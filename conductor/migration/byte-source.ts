/**
 * Random access to bytes that nobody vouches for: a file, or bytes in memory (an inline bucket, a test).
 * A log of gigabytes is never held; small reads go through one window, so that the many elements
 * of a page cost one system call.
 */
import { fstatSync, readSync } from 'node:fs';
import { MigrationError } from './migration-error.ts';

export interface ByteSource {
  /** For messages. */
  readonly name: string;
  /** Bytes in all. */
  readonly size: number;
  /** Exactly `length` bytes, a copy; throws MigrationError 'damaged' beyond the end. */
  read(at: number, length: number): Uint8Array;
}

/** Small reads are served from a window of this size. */
const WINDOW_BYTES = 16 * 1024;

/** Over an open file; its size is taken now. */
export function fileSource(name: string, descriptor: number): ByteSource {
  const size = fstatSync(descriptor).size;
  const window = new Uint8Array(WINDOW_BYTES);
  let begin = 0;
  let end = 0;
  return {
    name,
    size,
    read(at, length) {
      checkRange(name, size, at, length);
      if (length > WINDOW_BYTES / 2) return readFully(name, descriptor, new Uint8Array(length), at);
      if (at < begin || at + length > end) {
        begin = at;
        end = at + Math.min(WINDOW_BYTES, size - at);
        readFully(name, descriptor, window.subarray(0, end - begin), at);
      }
      return window.slice(at - begin, at - begin + length);
    },
  };
}

/** Over bytes in memory. */
export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read(at, length) {
      checkRange(name, bytes.length, at, length);
      return bytes.slice(at, at + length);
    },
  };
}

function checkRange(name: string, size: number, at: number, length: number): void {
  if (at >= 0 && length >= 0 && at + length <= size) return;
  throw new MigrationError(
    'damaged',
    `${name} ends at ${size} but refers to bytes up to ${at + length}: it was cut short or is damaged.`,
  );
}

function readFully(name: string, descriptor: number, target: Uint8Array, at: number): Uint8Array {
  for (let done = 0; done < target.length;) {
    const count = readSync(descriptor, target, done, target.length - done, at + done);
    if (count === 0) throw new MigrationError('damaged', `${name} became shorter while it was read.`);
    done += count;
  }
  return target;
}
