/**
 * The folder of the built site, for tests that look at it. A build that is older than what it is made of is made anew,
 * in a process of its own; SITE_DIST names a folder to be taken as it is.
 */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const SOURCES = [
  'site/**/*.{ts,tsx,css,svg}',
  'content/**/*',
  'conductor/**/*.ts',
  'simulator/**/*.ts',
  'package.json',
];

/** For the hook that calls `siteFolder`. */
export const BUILD_MS_MAX = 180_000;

/** Absolute. Throws with the build's output when it fails. */
export function siteFolder(): string {
  return process.env['SITE_DIST'] ?? freshBuild();
}

function freshBuild(): string {
  const folder = join(root, 'dist', 'site');
  const built = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isStale = globSync(SOURCES, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > built);
  if (!isStale) return folder;
  const build = Bun.spawnSync([process.execPath, join(root, 'site/engine/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (build.exitCode !== 0) throw new Error(`The site could not be built.\n${build.stdout}${build.stderr}`);
  return folder;
}
