/**
 * `npm run release` on two fresh checkouts in different places: the same bytes, sums that hold, a binary that says what
 * it is, and an edge bundle that wrangler would deploy as it is.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { edgeCommand } from '../../scripts/edge-command.ts';
import { sha256Of } from '../../scripts/release/sums.ts';
import { waitFor } from '../cluster/wait.ts';

const root = join(import.meta.dirname, '../..');
/** On the file system of the packages, which then need no copying. */
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'release-'));
const [first, second] = [join(folder, 'a'), join(folder, 'another', 'deeper')];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const hasCommit = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: root, stderr: 'ignore' }).success;

function run(cwd: string, ...words: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(words, { cwd, stderr: 'pipe' });
  if (!success) throw new Error(`${words.join(' ')}: ${stdout.toString()}${stderr.toString()}`);
  return stdout.toString();
}

function needsCommit(context: TestContext): void {
  if (!hasCommit) context.skip('this is no git repository with a commit to release');
}

/** The commit as a stranger has it, with the packages and the Bun of here. */
function checkOut(from: string, where: string): void {
  run(root, 'git', 'clone', '-q', from, where);
  for (const name of ['node_modules', '.tools']) {
    const linked = Bun.spawnSync(['cp', '-al', join(root, name), where], { stderr: 'ignore' });
    if (!linked.success) cpSync(join(root, name), join(where, name), { recursive: true, verbatimSymlinks: true });
  }
}

const commandIn = (where: string): string[] => [join(where, '.tools', 'bun'), 'scripts/release/main.ts'];

function release(where: string, ...words: string[]): { readonly code: number; readonly said: string } {
  // Of the caller's, which must not get into what is made.
  const env = { ...process.env, SITE_URL: `https://${words.length}.example` };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...commandIn(where), ...words], {
    cwd: where,
    env,
    stderr: 'pipe',
  });
  return { code: exitCode, said: `${stdout.toString()}${stderr.toString()}` };
}

const made = (where: string): string => join(where, 'dist', 'release', version);

/** Unpacks the archives of a checkout; says what is in them, by path. */
function unpack(where: string, into = mkdtempSync(join(folder, 'unpacked-'))): Record<string, string> {
  mkdirSync(into, { recursive: true });
  for (const part of ['infra', 'edge', 'completions'])
    run(into, 'tar', '-xzf', join(made(where), `conductor-${version}-${part}.tar.gz`));
  const paths = readdirSync(into, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(into, path)).isFile());
  const sum = (path: string): string =>
    createHash('sha256')
      .update(readFileSync(join(into, path)))
      .digest('hex');
  return Object.fromEntries(files.toSorted().map((path) => [path, sum(path)]));
}

beforeAll(() => {
  if (!hasCommit) return;
  checkOut(root, first);
  // Not from the root, where somebody may have committed meanwhile.
  checkOut(first, second);
  expect(release(first)).toMatchObject({
    code: 0,
    said: expect.stringContaining('SITE_URL=https://0.example does not'),
  });
  expect(release(second, `--out=dist/release/${version}`)).toMatchObject({ code: 0 });
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', { timeout: 300_000 }, () => {
  test('is the same bytes wherever its commit is checked out', (context) => {
    needsCommit(context);
    const sums = sha256Of(made(first));
    expect(sums.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'SHA256SUMS',
        ...['linux-x64', 'linux-arm64'].map((target) => `conductor-${version}-${target}`),
        ...['linux-x64', 'linux-arm64', 'edge.tar.gz'].map((target) => `conductor-${version}-${target}.cdx.json`),
        ...['completions', 'infra', 'edge'].map((part) => `conductor-${version}-${part}.tar.gz`),
      ]),
    );
    // By file first, which tells where a difference is.
    expect(unpack(second)).toEqual(unpack(first));
    expect(sha256Of(made(second))).toEqual(sums);
  });

  test('holds the sums it states, and bills of the very files', (context) => {
    needsCommit(context);
    const stated = readFileSync(join(made(first), 'SHA256SUMS'), 'utf8');
    const sums = sha256Of(made(first)).filter(({ name }) => name !== 'SHA256SUMS');
    expect(stated).toBe(sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
    for (const { name, sha256 } of sums.filter(({ name: file }) => /-linux-(x64|arm64)$|-edge\.tar\.gz$/.test(file)))
      expect(readFileSync(join(made(first), `${name}.cdx.json`), 'utf8'), name).toContain(`"content": "${sha256}"`);
  });

  test('has a binary that names the version and the commit, without changes', (context) => {
    needsCommit(context);
    const machine = `${process.platform}-${process.arch}`;
    const file = join(made(first), `conductor-${version}-${machine}`);
    context.skip(!existsSync(file), `nothing is released for ${machine}`);
    const commit = run(first, 'git', 'rev-parse', '--short=12', 'HEAD').trim();
    expect(run(folder, file, '--version')).toContain(`v${version} (${commit})`);
  });

  test('has archives without tests and links, whose edge bundle wrangler would deploy as it is', (context) => {
    needsCommit(context);
    const command = edgeCommand(0, folder);
    if (typeof command === 'string') return context.skip(command);
    const unpacked = join(folder, 'again');
    unpack(first, unpacked);
    const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /\.test\.|testdata/.test(name))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'infra/kubernetes/base/kustomization.yaml',
        'infra/systemd/conductor.service',
        'LICENSE',
      ]),
    );
    expect(statSync(join(unpacked, 'infra/tls/make-ca.sh')).mode & 0o111).not.toBe(0);
    const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
    const words = ['deploy', '--dry-run', `--outdir=${join(folder, 'worker')}`, '--config=infra/edge/wrangler.jsonc'];
    const deployed = Bun.spawnSync([command.program, wrangler, ...words], {
      ...{ cwd: unpacked, env: { ...command.env }, stderr: 'pipe' },
    });
    const said = `${deployed.stdout.toString()}${deployed.stderr.toString()}`;
    expect(said).toContain('--dry-run: exiting now');
    const pages = files.filter((name) => /^dist\/site\/.*\.html$/.test(name));
    expect(pages.length).toBeGreaterThan(100);
    expect(Number(/Read (\d+) files from the assets directory/.exec(said)?.[1])).toBeGreaterThan(pages.length);
    expect(readFileSync(join(folder, 'worker', 'worker.js'), 'utf8')).toContain('Content-Location');
  });

  test("has a bill of the edge bundle with what its scripts and fonts are of; its pages are for the project's address", (context) => {
    needsCommit(context);
    const bill = readFileSync(join(made(first), `conductor-${version}-edge.tar.gz.cdx.json`), 'utf8');
    for (const name of ['react-dom', 'hash-wasm', '%40fontsource-variable/newsreader'])
      expect(bill, name).toContain(`"purl": "pkg:npm/${name}@`);
    expect(bill).not.toContain('pkg:npm/shiki@');
    const unpacked = mkdtempSync(join(folder, 'pages-'));
    unpack(first, unpacked);
    expect(readFileSync(join(unpacked, 'dist/site/sitemap.xml'), 'utf8')).not.toContain('.example/');
  });

  test('ended by a signal leaves nothing behind, and the former release as it was', async (context) => {
    needsCommit(context);
    const before = sha256Of(made(first));
    const child = Bun.spawn(commandIn(first), { cwd: first, stdout: 'ignore', stderr: 'ignore' });
    await waitFor('the compiler to write', 60_000, () =>
      Promise.resolve(readdirSync(first).some((name) => name.endsWith('.bun-build')) ? true : null),
    );
    child.kill('SIGTERM');
    expect(await child.exited).toBe(143);
    expect(readdirSync(first).filter((name) => name.endsWith('.bun-build'))).toEqual([]);
    expect(readdirSync(join(made(first), '..'))).toEqual([version]);
    expect(sha256Of(made(first))).toEqual(before);
    expect(run(first, 'git', 'status', '--porcelain')).toBe('');
  });

  test('goes into no folder of somebody, and says so before anything is built', (context) => {
    needsCommit(context);
    for (const out of [first, join(first, 'infra'), folder])
      expect(release(first, `--out=${out}`)).toMatchObject({ code: 1, said: expect.stringContaining(`replace`) });
    expect(existsSync(join(first, 'infra', 'README.md'))).toBe(true);
    expect(release(first, '--help')).toMatchObject({ code: 0, said: expect.stringContaining('--site-url=<origin>') });
  });

  test('is not made of files that differ from the commit, nor without a word in the changelog', (context) => {
    needsCommit(context);
    writeFileSync(join(first, 'stray.ts'), '');
    expect(release(first)).toMatchObject({ code: 1, said: expect.stringMatching(/differ from the commit.*stray\.ts/) });
    rmSync(join(first, 'stray.ts'));
    const path = join(first, 'CHANGELOG.md');
    writeFileSync(path, readFileSync(path, 'utf8').replace(`## [${version}]`, '## [0.0.0]'));
    const refused = release(first, '--allow-dirty');
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`no section for ${version}`) });
  });
});
