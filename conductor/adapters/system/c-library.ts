/** Functions of the C library that neither Bun nor Node offers. */
import { dlopen, type FFIFunction, type Library } from 'bun:ffi';
import { messageOf } from '#conductor/core/errors';

/** Looks them up; throws an Error that says why no library has them. */
export function cLibrary<const Symbols extends Record<string, FFIFunction>>(
  symbols: Symbols,
): Library<Symbols>['symbols'] {
  const problems: string[] = [];
  for (const name of libraryNames()) {
    try {
      return dlopen(name, symbols).symbols;
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new Error(`the C library cannot be called: ${problems.join('; ')}`);
}

function libraryNames(): readonly string[] {
  if (process.platform === 'darwin') return ['libSystem.B.dylib'];
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return ['libc.so.6', `libc.musl-${architecture}.so.1`, 'libc.so'];
}
