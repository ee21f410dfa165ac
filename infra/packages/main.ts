/**
 * `npm run packages`: a deb and an rpm of each of dist/conductor-linux-x64 and -arm64 that `npm run build` has made, beside
 * them. The same commit gives the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makePackages, needNfpm } from './packages.ts';

const root = join(import.meta.dirname, '../..');
const outdir = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const binaries = { amd64: 'conductor-linux-x64', arm64: 'conductor-linux-arm64' };

const built = Object.entries(binaries).filter(([, file]) => existsSync(join(outdir, file)));
const tool = built.length === 0 ? { missing: 'dist/ has no binary for Linux: npm run build' } : await needNfpm();
if ('missing' in tool) {
  console.error(`No package was made: ${tool.missing}`);
  process.exitCode = 1;
} else {
  for (const [arch, file] of built) {
    const program = [process.execPath, join(root, 'conductor/cli/main.ts')];
    const options = {
      binary: join(outdir, file),
      arch,
      version,
      program,
      timeSeconds: commitSeconds(),
      outdir,
    };
    for (const path of makePackages(tool.path, options)) console.log(relative(root, path));
  }
}

function commitSeconds(): number {
  const given = Number(process.env['SOURCE_DATE_EPOCH'] ?? '');
  if (given > 0) return given;
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return Number(stdout.trim());
}
