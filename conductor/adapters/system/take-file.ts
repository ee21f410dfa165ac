/** Takes a file away from whatever in this process has it open. */
import { fstatSync, readdirSync, statSync } from 'node:fs';
import { cLibrary } from './c-library.ts';
import { openFile } from './open-file.ts';

let replace: ((from: number, to: number) => number) | null = null;

/**
 * Its descriptors stay, so that whoever has them can close them once, as ever; but they are open for reading nothing, and what is
 * written to them fails. Locks on the file are gone with it. Throws where the file or the C library cannot be had.
 */
export function takeFile(path: string): void {
  const { dev, ino } = statSync(path);
  replace ??= cLibrary({ dup2: { args: ['i32', 'i32'], returns: 'i32' } }).dup2;
  using nothing = openFile('/dev/null', 'r');
  for (const name of readdirSync('/dev/fd')) {
    const descriptor = Number(name);
    try {
      const open = fstatSync(descriptor);
      if (open.dev === dev && open.ino === ino) replace(nothing.descriptor, descriptor);
    } catch {
      // That of the listing itself, or of another thread that has just closed it.
    }
  }
}
