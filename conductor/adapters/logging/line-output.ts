/**
 * Standard output, written to without ever waiting for its reader: one that was stopped (a shipper of logs, Ctrl-S)
 * would else stop the only thread there is. The mode of the descriptor is left alone, for other processes may share it:
 * a pipe or a terminal is opened a second time, a socket is sent to with a flag. Files take what they are given.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { cLibrary } from '../system/c-library.ts';

/** Writes some of the bytes; returns how many, or throws or returns less than 0 where it would have to wait. */
type Write = (bytes: Uint8Array) => number;

const nothing = new Uint8Array();
/** Of Linux. */
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

export class LineOutput {
  readonly #write: Write;
  /** The rest of a line of which only a part was taken: whatever comes next follows it. */
  #rest: Uint8Array = nothing;

  constructor(write: Write = writerTo(1)) {
    this.#write = write;
  }

  /** False where the line is dropped, for its reader is slow or gone. */
  write(line: string): boolean {
    this.#rest = this.#some(this.#rest);
    if (this.#rest.length > 0) return false;
    const bytes = Buffer.from(`${line}\n`);
    const rest = this.#some(bytes);
    if (rest.length === bytes.length) return false;
    this.#rest = rest;
    return true;
  }

  /** Writes what is taken at once; returns the rest. */
  #some(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return nothing;
    try {
      return bytes.subarray(Math.max(0, this.#write(bytes)));
    } catch {
      // EAGAIN or EPIPE.
      return bytes;
    }
  }
}

/** Writes to a descriptor without waiting for its reader, where the platform lets it. */
export function writerTo(descriptor: number): Write {
  const asItIs: Write = (bytes) => writeSync(descriptor, bytes);
  if (process.platform !== 'linux') return asItIs;
  try {
    const kind = fstatSync(descriptor);
    if (kind.isSocket()) return sender(descriptor);
    if (!kind.isFIFO() && !kind.isCharacterDevice()) return asItIs;
    const again = openSync(
      `/proc/self/fd/${descriptor}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    return (bytes) => writeSync(again, bytes);
  } catch {
    // No /proc, or it is another user's: then the process waits for its reader, as any other does.
    return asItIs;
  }
}

function sender(descriptor: number): Write {
  const { send } = cLibrary({ send: { args: ['int', 'ptr', 'usize', 'int'], returns: 'i64' } });
  return (bytes) => Number(send(descriptor, bytes, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL));
}
