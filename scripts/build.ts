/**
 * `npm run build`: makes dist/conductor, one file that needs nothing installed, for Linux on x64 and arm64
 * and for this machine. Options: --target=linux-x64,… (any of toolchain.json), --outdir=<folder>.
 * The same commit gives the same bytes wherever it is built.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBinary } from './build-binary.ts';
import { buildConsole } from '../site/console/build.ts';
import { bringRuntime, targetOf, type Target } from './build-targets.ts';

const root = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { target: { type: 'string', default: '' }, outdir: { type: 'string', default: join(root, 'dist') } },
});
const outdir = resolve(values.outdir);

try {
  await buildAll();
} catch (thrown) {
  console.error(`The build stopped: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}

async function buildAll(): Promise<void> {
  const here = targetOf();
  // This machine's first: it needs no network.
  const names = values.target === '' ? [here.name, 'linux-x64', 'linux-arm64'] : values.target.split(',');
  const targets = [...new Set(names)].map((name) => targetOf(name));
  mkdirSync(outdir, { recursive: true });
  const sums: string[] = [];
  for (const target of targets) {
    sums.push(await build(target));
    if (target.name === here.name) alias(join(outdir, `conductor-${here.name}`), join(outdir, 'conductor'));
  }
  writeFileSync(join(outdir, 'SHA256SUMS'), `${sums.join('\n')}\n`);
}

/** Builds one file; returns its line for SHA256SUMS. */
async function build(target: Target): Promise<string> {
  const file = `conductor-${target.name}`;
  const outfile = join(outdir, file);
  const startedMs = performance.now();
  const files = [await buildConsole()];
  const runtime = await bringRuntime(target);
  await buildBinary({ root, entry: 'conductor/cli/main.ts', outfile, target, runtime, files });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const megabytes = (statSync(outfile).size / 1e6).toFixed(0);
  const sum = createHash('sha256').update(readFileSync(outfile)).digest('hex');
  console.log(`${file.padEnd(24)} ${megabytes} MB  ${seconds} s  sha256 ${sum}`);
  return `${sum}  ${file}`;
}

/** The plain name for this machine's file: the same file where the file system can, else a copy. */
function alias(file: string, name: string): void {
  rmSync(name, { force: true });
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name);
  }
}
