/** How this program runs: as a script under Bun, or as a compiled single file; and how it becomes itself again. */

/** Path prefixes of files inside a compiled binary. */
const compiledPrefixes = ['/$bunfs/', 'B:/~BUN/'];

function isCompiled(): boolean {
  return compiledPrefixes.some((prefix) => Bun.main.startsWith(prefix));
}

/** The words that run this program; its arguments follow. */
export function ownCommand(): string[] {
  return isCompiled() ? [process.execPath] : [process.execPath, Bun.main];
}

/** The switch of the runtime's last JIT tier. It is read when the runtime starts, before any line of a program. */
const lastTier = 'BUN_JSC_useFTLJIT';

/**
 * Goes on without the JIT's last tier, which compiles for hours of computing that a conductor does not have, and takes
 * processors from commits. A compiled binary replaces itself, with the same process id, files and arguments; whoever has
 * set the variable is obeyed. Returns where nothing is to be done, or the system does not let it.
 */
export function withoutLastTier(): void {
  if (!isCompiled() || process.env[lastTier] !== undefined || process.execve === undefined) return;
  try {
    process.execve(process.execPath, [process.argv0, ...process.argv.slice(2)], { ...process.env, [lastTier]: '0' });
  } catch {
    // It runs as well with that tier, only not as evenly.
  }
}
