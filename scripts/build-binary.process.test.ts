import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildBinary } from './build-binary.ts';
import { bringRuntime, targetOf } from './build-targets.ts';
import { chooseBun } from './setup-bun.mjs';

const root = join(import.meta.dirname, '..');
const entry = 'conductor/cli/main.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A checkout of its own in `folder`: the sources that go into the binary and the packages they need. */
function checkOut(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ['conductor', 'package.json', 'tsconfig.json', 'tsconfig.base.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const manifest = (path: string) =>
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> };
  const waiting = Object.keys(manifest(root).dependencies ?? {});
  for (const name of waiting) {
    const from = join(root, 'node_modules', name);
    cpSync(from, join(folder, 'node_modules', name), { recursive: true });
    for (const needed of Object.keys(manifest(from).dependencies ?? {}))
      if (!waiting.includes(needed)) waiting.push(needed);
  }
  return folder;
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

test('two checkouts in different folders give the same bytes, which name no folder', async () => {
  const parent = temporaryFolder();
  const target = targetOf();
  const runtime = await bringRuntime(target);
  const folders = [join(parent, 'a'), join(parent, 'another', 'deeper')] as const;
  checkOut(folders[0]);
  cpSync(folders[0], folders[1], { recursive: true });
  const [first, second] = folders.map((folder) => join(folder, 'out')) as [string, string];
  for (const folder of folders)
    await buildBinary({ root: folder, entry, outfile: join(folder, 'out'), target, runtime });
  expect(sha256(first)).toBe(sha256(second));
  expect(readFileSync(first).includes(parent)).toBe(false);
});

test('a binary for another machine is made from that machine’s runtime', async (context) => {
  const target = targetOf(process.arch === 'arm64' ? 'linux-x64' : 'linux-arm64');
  const { binary } = chooseBun(import.meta.dirname, join(root, '.tools'), target);
  context.skip(!existsSync(binary), `${target.name} was never built here (npm run build fetches its runtime)`);
  const outfile = join(temporaryFolder(), 'out');
  await buildBinary({ root, entry, outfile, target, runtime: binary });
  const machine = readFileSync(outfile).readUInt16LE(18);
  expect(machine).toBe(target.arch === 'arm64' ? 0xb7 : 0x3e);
});

test('a stack trace of a binary names files and functions of the sources', async () => {
  const folder = temporaryFolder();
  const target = targetOf();
  const outfile = join(folder, 'crash');
  await Bun.write(
    join(folder, 'crash.ts'),
    'function fallOver(): never {\n  throw new Error("on purpose");\n}\nfallOver();\n',
  );
  await buildBinary({ root: folder, entry: 'crash.ts', outfile, target, runtime: await bringRuntime(target) });
  const { stderr, exitCode } = Bun.spawnSync([outfile], { stderr: 'pipe' });
  expect(exitCode).toBe(1);
  expect(stderr.toString()).toMatch(/fallOver .*crash\.ts:2/);
});

test('an unknown target is refused with the known ones', () => {
  expect(() => targetOf('windows-x64')).toThrow(/linux-x64, .*linux-arm64|linux-arm64, .*linux-x64/);
});
