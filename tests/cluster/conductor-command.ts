/**
 * The one place that decides what is run when a test starts our program: the compiled binary that
 * CONDUCTOR_BIN names, or the sources under this Bun.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The program's entry among the sources. */
export const CONDUCTOR_SOURCE = join(import.meta.dirname, '../../conductor/cli/main.ts');

const root = join(import.meta.dirname, '../..');

let compiled = '';

/** Path of the compiled binary: the one that CONDUCTOR_BIN names, else compiled now as `npm test` does. Throws what the build says. */
export function compiledConductor(): string {
  const named = process.env['CONDUCTOR_BIN'] ?? '';
  if (named !== '') return named;
  if (compiled !== '') return compiled;
  const words = ['scripts/build-for-tests.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The binary could not be compiled: ${stdout}${stderr}`);
  compiled = join(root, '.cache/test/bin/conductor');
  return compiled;
}

/** The words that start it; its own arguments follow. */
export function conductorCommand(): string[] {
  const binary = process.env['CONDUCTOR_BIN'] ?? '';
  return binary === '' ? [process.execPath, CONDUCTOR_SOURCE] : [binary];
}
