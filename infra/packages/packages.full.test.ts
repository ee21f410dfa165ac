/**
 * The packages as package managers take them: each is installed, started, upgraded and removed in a root of its own, where its
 * package manager is installed.
 */
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { compiledConductor } from '../../tests/cluster/conductor-command.ts';
import { makePackages, needNfpm } from './packages.ts';

const TOOL_MS_MAX = 20 * 60_000;
/** The service's group in that root. */
const gid = 4321;
const folder = mkdtempSync(join(tmpdir(), 'conductor-packages-'));
const root = join(folder, 'root');
const at = (path: string): string => join(root, path);
/** Files by version and folder: compressing the binary takes seconds. */
const packages = new Map<string, string[]>();
let tool: Awaited<ReturnType<typeof needNfpm>>;

beforeAll(async () => {
  tool = await needNfpm();
}, TOOL_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Deb and rpm of a version. */
function made(version: string, outdir = folder): string[] | null {
  if ('missing' in tool) return null;
  const known = packages.get(`${version} ${outdir}`);
  if (known !== undefined) return known;
  const binary = compiledConductor();
  mkdirSync(outdir, { recursive: true });
  const options = { binary, arch: 'amd64', version, outdir, program: [binary], timeSeconds: 1_700_000_000 };
  const files = makePackages(tool.path, options);
  packages.set(`${version} ${outdir}`, files);
  return files;
}

/** Installs, upgrades or removes in the root; scripts run with DPKG_ROOT instead of in a chroot. */
function dpkg(...words: string[]): void {
  const states = join(root, 'var/lib/dpkg');
  for (const path of ['info', 'updates', 'triggers']) mkdirSync(join(states, path), { recursive: true });
  for (const file of ['status', 'available'])
    if (!existsSync(join(states, file))) writeFileSync(join(states, file), '');
  const own = [
    `--root=${root}`,
    '--force-script-chrootless',
    '--force-not-root',
    '--force-architecture',
    '--log=/dev/null',
  ];
  const { status, stdout, stderr } = spawnSync('dpkg', [...own, ...words], { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
}

function needed(context: TestContext, program: string): boolean {
  if ('missing' in tool) context.skip(tool.missing);
  else if (Bun.which(program) === null) context.skip(`${program} is not installed`);
  else return true;
  return false;
}

test('a deb is installed, runs, is upgraded without its settings, and leaves them behind', (context) => {
  if (!needed(context, 'dpkg')) return;
  mkdirSync(dirname(at('etc/group')), { recursive: true });
  writeFileSync(at('etc/group'), 'root:x:0:\n');
  dpkg('--install', made('0.1.0')![0]!);
  const { status, stdout } = spawnSync(at('usr/bin/conductor'), ['version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^conductor version v/)]);
  expect(statSync(at('etc/conductor/conductor.env')).mode & 0o777).toBe(0o640);
  expect(statSync(at('etc/conductor')).mode & 0o777).toBe(0o750);
  expect(readFileSync(at('usr/lib/systemd/system/conductor.service'), 'utf8')).toContain(
    'ExecStart=/usr/bin/conductor\n',
  );
  expect(gunzipSync(readFileSync(at('usr/share/man/man1/conductor.1.gz'))).toString()).toMatch(/^\.TH CONDUCTOR 1/);
  writeFileSync(at('etc/conductor/conductor.env'), 'OP_CONDUCTOR_RAFT_SERVER_ID=mine\n');
  dpkg('--install', made('0.2.0')![0]!);
  expect(readFileSync(at('var/lib/dpkg/status'), 'utf8')).toMatch(/^Version: 0\.2\.0$/m);
  expect(readFileSync(at('etc/conductor/conductor.env'), 'utf8')).toContain('=mine');
  dpkg('--remove', 'conductor');
  expect([existsSync(at('usr/bin/conductor')), existsSync(at('etc/conductor/conductor.env'))]).toEqual([false, true]);
});

test('whoever has settings elsewhere and deletes the file is upgraded all the same', (context) => {
  if (!needed(context, 'dpkg')) return;
  mkdirSync(dirname(at('etc/group')), { recursive: true });
  writeFileSync(at('etc/group'), `root:x:0:\nconductor:x:${gid}:\n`);
  dpkg('--install', made('0.1.0')![0]!);
  rmSync(at('etc/conductor/conductor.env'), { force: true });
  dpkg('--install', made('0.2.0')![0]!);
  expect(existsSync(at('etc/conductor/conductor.env'))).toBe(false);
  dpkg('--purge', 'conductor');
  expect(existsSync(at('etc/conductor'))).toBe(false);
});

test('a group that you gave the settings stays theirs, and a link among them is not followed', (context) => {
  if (!needed(context, 'dpkg')) return;
  if (process.getuid?.() !== 0) return context.skip('only root can give files to a group');
  mkdirSync(dirname(at('etc/group')), { recursive: true });
  writeFileSync(at('etc/group'), `root:x:0:\nconductor:x:${gid}:\n`);
  dpkg('--install', made('0.1.0')![0]!);
  const settings = at('etc/conductor/conductor.env');
  expect([statSync(settings).gid, statSync(at('etc/conductor')).gid]).toEqual([gid, gid]);
  chownSync(at('etc/conductor'), 0, gid + 1);
  rmSync(settings);
  writeFileSync(at('etc/shared.env'), 'OP_CONDUCTOR_RAFT_SERVER_ID=mine\n');
  symlinkSync(at('etc/shared.env'), settings);
  dpkg('--install', made('0.2.0')![0]!);
  expect([statSync(at('etc/shared.env')).gid, statSync(at('etc/conductor')).gid]).toEqual([0, gid + 1]);
  dpkg('--purge', 'conductor');
  expect(existsSync(at('etc/shared.env'))).toBe(true);
});

test('an rpm is installed, runs, is upgraded without its settings, and leaves them behind', (context) => {
  if (!needed(context, 'rpm')) return;
  const target = join(folder, 'rpm-root');
  mkdirSync(target);
  // Its scripts would run in a chroot that has no shell; the deb runs the same ones.
  const rpm = (...words: string[]): void => {
    const own = [`--root=${target}`, '--dbpath=/var/lib/rpm', '--nodeps', '--noscripts', '--nosignature'];
    const { status, stdout, stderr } = spawnSync('rpm', [...own, ...words], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  };
  const settings = join(target, 'etc/conductor/conductor.env');
  rpm('--install', '--ignorearch', made('0.1.0')![1]!);
  const { status, stdout } = spawnSync(join(target, 'usr/bin/conductor'), ['version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^conductor version v/)]);
  expect(statSync(settings).mode & 0o777).toBe(0o640);
  writeFileSync(settings, 'OP_CONDUCTOR_RAFT_SERVER_ID=mine\n');
  rpm('--upgrade', '--ignorearch', made('0.2.0')![1]!);
  expect(readFileSync(settings, 'utf8')).toContain('=mine');
  rpm('--erase', 'conductor');
  expect(existsSync(join(target, 'usr/bin/conductor'))).toBe(false);
  expect([settings, `${settings}.rpmsave`].some((path) => existsSync(path))).toBe(true);
});

test('the same binary and time give the same bytes', (context) => {
  if ('missing' in tool) return context.skip(tool.missing);
  const [one, two] = ['one', 'two'].map((name) => made('0.1.0', join(folder, name))!.map((file) => readFileSync(file)));
  for (const [at, bytes] of one!.entries()) expect(bytes.equals(two![at]!)).toBe(true);
});
