/**
 * The one place that decides what is run when a test starts our program: the compiled binary that
 * CONDUCTOR_BIN names, or the sources under this Bun.
 */
import { join } from 'node:path';

/** The program's entry among the sources. */
export const CONDUCTOR_SOURCE = join(import.meta.dirname, '../../conductor/cli/main.ts');

/** The words that start it; its own arguments follow. */
export function conductorCommand(): string[] {
  const binary = process.env['CONDUCTOR_BIN'] ?? '';
  return binary === '' ? [process.execPath, CONDUCTOR_SOURCE] : [binary];
}
