/**
 * The image's file system, made without a builder and entered as a container runtime would: read-only root,
 * a user that is not root, one writable volume. Needs a compiled binary and user namespaces.
 */
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARENT_VARIABLE } from '#conductor/dev-sequencer/parent-watch';
import { waitFor } from '../../tests/cluster/wait.ts';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';
import { assembleImage, execForm, parseContainerfile } from './containerfile.ts';

const WAIT_MS_MAX = 30_000;
const instructions = parseContainerfile(readFileSync(join(import.meta.dirname, 'Containerfile'), 'utf8'));
const restOf = (name: string): string => instructions.findLast((one) => one.name === name)?.rest ?? '';
const [user, group] = restOf('USER').split(':') as [string, string];

/**
 * Enters the root folder $1 with the volume $2 at its own path; $3, a binary outside, becomes the entry of the image. It is
 * process 1 there, which no signal ends that it does not handle.
 */
const ENTER = `
mount --bind "$1" "$1"; mount --rbind /proc "$1/proc"; mount --bind "$2" "$1$2"; mount -o remount,bind,ro "$1"
root=$1; shift 3
unset ${PARENT_VARIABLE}
exec unshare --user --map-user=${user} --map-group=${group} --pid --fork --kill-child --root="$root" --wd=/ -- "$entry" "$@"`;
const ENTRYPOINT = execForm(restOf('ENTRYPOINT'))![0]!;

function launcher(root: string, volume: string, entry = ENTRYPOINT): string[] {
  const script = `entry=${entry}\n${ENTER}`;
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-ceu', script, 'enter', root, volume];
}

describe('the file system of the container image', () => {
  const work = mkdtempSync(join(tmpdir(), 'conductor-image-'));
  const volume = join(work, 'volume');
  const binary = process.env['CONDUCTOR_BIN'] ?? '';
  const canEnter =
    spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '--bind', work, work]).status === 0;
  const obstacle =
    process.platform !== 'linux'
      ? 'the image is for Linux'
      : binary === ''
        ? 'CONDUCTOR_BIN names no compiled binary'
        : canEnter
          ? null
          : 'this machine allows no user namespaces';
  let root = '';

  beforeAll(() => {
    if (obstacle !== null) return;
    const context = join(work, 'context');
    mkdirSync(join(context, 'dist'), { recursive: true });
    mkdirSync(join(context, 'infra/container'), { recursive: true });
    for (const machine of ['x64', 'arm64']) place(binary, join(context, `dist/conductor-linux-${machine}`));
    place(join(import.meta.dirname, 'layout.sh'), join(context, 'infra/container/layout.sh'));
    root = assembleImage(instructions, { context, work });
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 conductor.internal\n');
    mkdirSync(volume);
    mkdirSync(join(root, volume), { recursive: true });
  });

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('holds every library that a file of it names', (context) => {
    if (obstacle !== null) return context.skip(obstacle);
    if (spawnSync('readelf', ['--version']).status !== 0) return context.skip('readelf is not installed');
    const files = spawnSync('find', [root, '-type', 'f'], { encoding: 'utf8' }).stdout.trim().split('\n');
    const names = new Set(files.map((file) => file.slice(dirname(file).length + 1)));
    const needed = files.flatMap((file) => [
      ...spawnSync('readelf', ['-d', file], { encoding: 'utf8' }).stdout.matchAll(/\(NEEDED\).*\[(.*)\]/g),
    ]);
    expect(needed.length).toBeGreaterThan(0);
    expect(needed.map(([, library]) => library!).filter((library) => !names.has(library))).toStrictEqual([]);
  });

  it.for(['/usr/local/bin/op-conductor', ENTRYPOINT])(
    'starts as a manifest of op-conductor has it: %s',
    (entry, context) => {
      if (obstacle !== null) return context.skip(obstacle);
      const named = entry === ENTRYPOINT ? ['op-conductor'] : [];
      const [command = '', ...others] = [...launcher(root, volume, entry), binary, ...named, '--version'];
      const { status, stdout } = spawnSync(command, others, { encoding: 'utf8' });
      expect([status, stdout]).toStrictEqual([0, expect.stringMatching(/\d+\.\d+\.\d+/)]);
    },
  );

  it('serves from a read-only root without being root, its health check knows, and SIGTERM ends it in order', async (context) => {
    if (obstacle !== null) return context.skip(obstacle);
    await using conductor = new LoneConductor(volume, `image-${process.pid}`);
    const enter = launcher(root, volume);
    const check = (...more: string[]): number | null => {
      const words = execForm(/CMD (.*)$/.exec(restOf('HEALTHCHECK'))![1]!)!.slice(1);
      const [command = '', ...others] = [...enter, binary, ...words, ...more];
      const variables = { ...process.env, OP_CONDUCTOR_RPC_PORT: String(conductor.rpcPort) };
      return spawnSync(command, others, { env: variables }).status;
    };
    expect(check()).toBe(1);
    conductor.start(['--raft.bootstrap'], enter);
    await conductor.answers('conductor_leader', true);
    expect(check()).toBe(0);
    // Names are resolved in there, too; a runtime mounts this file.
    expect(check('--rpc.addr=conductor.internal')).toBe(0);
    await waitFor('the conductor to be ready', WAIT_MS_MAX, () => (check('--ready') === 0 ? true : null));
    process.kill(pidOf(conductor.id), 'SIGTERM');
    expect(await conductor.ended()).toBe(0);
  });
});

/** A file of the build context, without copying a hundred megabytes where that can be avoided. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** The one conductor of an id, by its process id outside. */
function pidOf(id: string): number {
  const own = readdirSync('/proc').filter((name) => {
    const words = /^\d+$/.test(name) ? commandLine(name) : '';
    return words.startsWith('/conductor ') && words.includes(`--raft.server.id=${id} `);
  });
  expect(own).toHaveLength(1);
  return Number(own[0]);
}

/** '' where it has ended since. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
