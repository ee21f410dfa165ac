/** A file that is open until the end of a block: `using file = openFile(path, 'r')`. */
import { closeSync, openSync } from 'node:fs';

export interface OpenFile extends Disposable {
  readonly descriptor: number;
}

/** As `openSync` does. */
export function openFile(path: string, flags: string, mode?: number): OpenFile {
  const descriptor = openSync(path, flags, mode);
  return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
}
