/** Builds releases other than the one under test: an earlier one from its tag, and one of the future. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary } from '../../scripts/build-binary.ts';
import { bringRuntime, targetOf } from '../../scripts/build-targets.ts';
import { sourcesOfNextRelease } from '../cluster/next-release.ts';

const root = join(import.meta.dirname, '../..');
const SOURCES = ['conductor', 'package.json', 'tsconfig.json', 'tsconfig.base.json'];

/** Path of a binary of the release after this one, made in `folder`. */
export async function buildNextRelease(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const [file, source] of sourcesOfNextRelease(root)) writeFileSync(join(folder, file), source);
  return build(folder);
}

/** The newest release before this one, or null when this is the first. */
export function previousTag(): string | null {
  const listed = Bun.spawnSync(['git', 'tag', '--list', 'v*', '--sort=-version:refname', '--merged'], { cwd: root });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const tags = listed.success ? listed.stdout.toString().split('\n') : [];
  return tags.find((tag) => tag !== '' && tag !== `v${version}`) ?? null;
}

/** Path of a binary of a tag, made in `folder` with the packages of today. */
export async function buildTag(tag: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const archive = Bun.spawnSync(['git', 'archive', tag, ...SOURCES], { cwd: root });
  const unpacked = Bun.spawnSync(['tar', '-x'], { cwd: folder, stdin: archive.stdout });
  if (!archive.success || !unpacked.success) throw new Error(`${tag} could not be unpacked`);
  return build(folder);
}

async function build(folder: string): Promise<string> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const target = targetOf();
  const outfile = join(folder, 'built');
  const runtime = await bringRuntime(target);
  await buildBinary({ root: folder, entry: 'conductor/cli/main.ts', outfile, target, runtime });
  return outfile;
}
