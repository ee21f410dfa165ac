/** How this program starts itself again: as a script under Bun, or as a compiled single file. */

/** Path prefix of files inside a compiled binary. */
const COMPILED_PREFIXES = ['/$bunfs/', 'B:/~BUN/'];

/** The words that run this program; its arguments follow. */
export function ownCommand(): string[] {
  const isCompiled = COMPILED_PREFIXES.some((prefix) => Bun.main.startsWith(prefix));
  return isCompiled ? [process.execPath] : [process.execPath, Bun.main];
}
