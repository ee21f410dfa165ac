/**
 * The image as a real builder makes it, from the binaries of `npm run build`: what its layers hold and who owns it.
 * Needs docker or podman, and the base image of the recipe, here or in a registry.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseContainerfile } from './containerfile.ts';

const repository = join(import.meta.dirname, '../..');
const containerfile = join(import.meta.dirname, 'Containerfile');
const instructions = parseContainerfile(readFileSync(containerfile, 'utf8'));
const restOf = (name: string): string => instructions.findLast((one) => one.name === name)?.rest ?? '';
const base = instructions[0]!.rest.split(' ')[0]!;
const tag = `conductor-test-${process.pid}`;
const BUILD_MS_MAX = 300_000;

const builder = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0);

/** A command of the builder; podman may not be allowed namespaces of its own where tests run. */
function build(words: readonly string[]): {
  readonly status: number | null;
  readonly said: string;
  readonly out: string;
} {
  const { status, stdout, stderr } = spawnSync(builder!, words, {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, BUILDAH_ISOLATION: process.env['BUILDAH_ISOLATION'] ?? 'chroot' },
  });
  return { status, said: stderr, out: stdout };
}

function obstacle(): string | null {
  if (builder === undefined) return 'neither docker nor podman answers here';
  if (!existsSync(join(repository, 'dist/conductor-linux-x64'))) return 'npm run build has not been run';
  const isThere = build(['image', 'inspect', base]).status === 0 || build(['pull', base]).status === 0;
  return isThere ? null : `${base} is not here and cannot be pulled`;
}

describe('the image that a builder makes', () => {
  const why = obstacle();
  afterAll(() => {
    if (why === null) build(['image', 'rm', '--force', tag]);
  });

  it(
    'belongs to root but for the folder of its state, which its user owns',
    (context) => {
      if (why !== null) return context.skip(why);
      const built = build(['build', '--file', containerfile, '--tag', tag, '.']);
      expect(built.status, built.said).toBe(0);
      const container = build(['create', tag]).out.trim();
      const list = spawnSync('sh', ['-c', `${builder} export ${container} | tar --list --verbose --numeric-owner`], {
        encoding: 'utf8',
      });
      build(['rm', container]);
      const owners = new Map(
        list.stdout
          .trim()
          .split('\n')
          .map((line) => line.split(/\s+/))
          .map(([, owner = '', , , , path = '']) => [`/${path.replace(/^\.?\//, '').replace(/\/$/, '')}`, owner]),
      );
      const state = restOf('WORKDIR');
      expect(owners.get('/conductor')).toBe('0/0');
      expect(owners.get(state)).toBe(restOf('USER').replace(':', '/'));
      expect([...owners].filter(([path, owner]) => path !== state && owner !== '0/0')).toStrictEqual([]);
    },
    BUILD_MS_MAX,
  );
});
