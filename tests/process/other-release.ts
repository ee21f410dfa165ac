/**
 * Builds releases other than the one under test: an earlier one from its tag, and one of the future, which is this
 * one with what a later release may change: more in the peer status, and a store of a newer format.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary } from '../../scripts/build-binary.ts';
import { bringRuntime, targetOf } from '../../scripts/build-targets.ts';

const root = join(import.meta.dirname, '../..');
const SOURCES = ['conductor', 'package.json', 'tsconfig.json', 'tsconfig.base.json'];

/** File, what stands there once, and what a later release has instead. */
const FUTURE: readonly (readonly [string, string, string])[] = [
  ['conductor/cli/version.ts', "version = 'v", "version = 'v9"],
  [
    'conductor/core/wire/peer-status.ts',
    '    to.mapHeader(3 + present);\n',
    `    to.mapHeader(5 + present);
    to.literal(encodeKey('Format'));
    to.unsigned(2);
    to.literal(encodeKey('Later'));
    to.mapHeader(1);
    to.literal(encodeKey('Deep'));
    to.arrayHeader(2);
    to.bool(true);
    to.bytes(new Uint8Array(300));\n`,
  ],
  ['conductor/adapters/sqlite/database.ts', 'formatVersion = 1;', 'formatVersion = 2;'],
  [
    'conductor/adapters/sqlite/database.ts',
    '  if (version === formatVersion) return;\n',
    `  if (version === 1) database.run('PRAGMA user_version = 2');
  if (version === 1 || version === formatVersion) return;\n`,
  ],
];

/** Path of a binary of the release after this one, made in `folder`. */
export async function buildNextRelease(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const [file, text, later] of FUTURE) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(text);
    if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(text)} ${parts.length - 1} times, not once`);
    writeFileSync(path, parts.join(later));
  }
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
