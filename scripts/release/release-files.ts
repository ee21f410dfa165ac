/** The files of a release, each with how it is made. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '../../site/console/build.ts';
import { buildBinary } from '../build-binary.ts';
import { bringRuntime, targetOf } from '../build-targets.ts';
import { chooseBun } from '../setup-bun.mjs';
import { billOfMaterials, type BilledRuntime } from './bill-of-materials.ts';
import { edgePackages } from './edge-packages.ts';
import { packagesIn, runtimePackages, type BilledPackages } from './lock-file.ts';
import type { ReleaseState } from './release-state.ts';
import { tarArchive, type ArchiveEntry } from './tar-archive.ts';

export interface ReleaseOptions {
  readonly root: string;
  /** Where the files go; it exists. */
  readonly folder: string;
  readonly state: ReleaseState;
  /** Builds the documentation site into a folder, and a list of the packages it has code of, JSON, into a file. */
  readonly buildSite: (out: string, packages: string) => Promise<void>;
}

export interface ReleaseStep {
  readonly name: string;
  readonly make: () => Promise<void>;
}

/** What is published is for these; `npm run build` makes others. */
const TARGETS = ['linux-x64', 'linux-arm64'];
/** Paths of infra/ that its archive lacks: what makes and tests the rest, and what the edge bundle has. */
export const notDeployed = /^infra\/edge\/|\.ts$|\/(testdata|tests)\//;
const SHELLS = { bash: 'conductor.bash', zsh: '_conductor', fish: 'conductor.fish' };
const GZIP_LEVEL = 9;

/** In the order in which they are made. */
export function releaseFiles(options: ReleaseOptions): ReleaseStep[] {
  const { version } = options.state;
  const archive = (part: string, entries: () => Promise<ArchiveEntry[]> | ArchiveEntry[]): ReleaseStep => {
    const name = `conductor-${version}-${part}.tar.gz`;
    return { name, make: async () => writeArchive(options, name, await entries()) };
  };
  return [
    ...TARGETS.map((target) => ({ name: `conductor-${version}-${target}`, make: () => makeBinary(options, target) })),
    archive('completions', () => completions(options)),
    archive('infra', () => tracked(options, 'infra').filter(({ path }) => !notDeployed.test(path))),
    { name: `conductor-${version}-edge.tar.gz`, make: () => makeEdge(options, `conductor-${version}-edge.tar.gz`) },
  ];
}

/** The binary and its bill of materials. */
async function makeBinary({ root, folder, state }: ReleaseOptions, name: string): Promise<void> {
  const target = targetOf(name);
  const file = `conductor-${state.version}-${name}`;
  const outfile = join(folder, file);
  const runtime = await bringRuntime(target);
  await buildBinary({ root, entry: 'conductor/cli/main.ts', outfile, target, runtime, files: [await buildConsole()] });
  const { version, build } = chooseBun(join(root, 'scripts'), join(root, '.tools'), target);
  writeBill({ root, folder, state }, file, {
    name: 'conductor',
    target: name,
    packages: (lock) => runtimePackages(lock),
    // This Bun is of the same version as the target's, and so has the same parts.
    runtime: { package: build.package, version, integrity: build.integrity, parts: process.versions },
  });
}

interface Billed {
  readonly name: string;
  readonly target: string;
  readonly packages: (lock: string) => BilledPackages;
  readonly runtime: BilledRuntime | null;
}

/** Beside the file, which is there already. */
function writeBill({ root, folder, state }: Omit<ReleaseOptions, 'buildSite'>, file: string, billed: Billed): void {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  const bill = billOfMaterials({
    name: billed.name,
    version: state.version,
    commit: state.commit,
    commitSeconds: state.timeSeconds,
    file: { name: file, target: billed.target, sha256 },
    packages: billed.packages(readFileSync(join(root, 'bun.lock'), 'utf8')),
    manifestOf: (below) => manifest(join(root, 'node_modules', nested(below))),
    runtime: billed.runtime,
  });
  writeFileSync(join(folder, `${file}.cdx.json`), bill);
}

/** Where a package lies that the lock file names `outer/inner`. */
function nested(below: string): string {
  return (below.match(/(?:@[^/]+\/)?[^/]+/g) ?? []).join('/node_modules/');
}

function manifest(folder: string): { readonly license?: unknown; readonly description?: unknown } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
}

function completions({ root }: ReleaseOptions): ArchiveEntry[] {
  return Object.entries(SHELLS).map(([shell, file]) => {
    const words = ['conductor/cli/main.ts', 'completion', shell];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root });
    if (status !== 0) throw new Error(`the completion for ${shell} was not made: ${stderr.toString().trim()}`);
    return { path: `completions/${file}`, data: stdout };
  });
}

/**
 * The built site, and what deploys it, where the repository has them: wrangler needs no other configuration there; and
 * the bill of materials of it.
 */
async function makeEdge(options: ReleaseOptions, name: string): Promise<void> {
  const { root, folder, buildSite } = options;
  const sources = [...tracked(options, 'infra/edge'), ...tracked(options, 'site/search')];
  const worker = sources.filter(({ path }) => /^infra.*\.(jsonc|md)$|^(?!.*\.test\.ts$).*\.ts$/.test(path));
  const work = mkdtempSync(join(folder, '.site-'));
  const [site, list] = [join(work, 'site'), join(work, 'packages.json')];
  try {
    await buildSite(site, list);
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) =>
      lstatSync(join(site, path)).isFile(),
    );
    const files = names.map((path): ArchiveEntry => ({
      path: `dist/site/${path}`,
      data: readFileSync(join(site, path)),
    }));
    const license = { path: 'LICENSE', data: readFileSync(join(root, 'LICENSE')) };
    writeArchive(options, name, [...worker, ...files, license]);
    const bundled = edgePackages(JSON.parse(readFileSync(list, 'utf8')) as string[], names);
    const packages = (lock: string): BilledPackages => packagesIn(lock, bundled);
    writeBill(options, name, { name: 'conductor-edge', target: 'edge', packages, runtime: null });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files below a folder of the repository that git knows; outside of one, all. */
function tracked({ root, state }: ReleaseOptions, below: string): ArchiveEntry[] {
  const listed = spawnSync('git', ['ls-files', '-z', below], { cwd: root, encoding: 'utf8' });
  const paths =
    state.commit === ''
      ? readdirSync(join(root, below), { recursive: true, encoding: 'utf8' }).map((name) => `${below}/${name}`)
      : listed.stdout.split('\0').filter((path) => path !== '');
  return paths.flatMap((path) => {
    const status = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (status?.isSymbolicLink() === true)
      throw new Error(`${path} is a link to ${readlinkSync(join(root, path))}, which an archive would not hold`);
    if (status?.isFile() !== true) return [];
    return [{ path, data: readFileSync(join(root, path)), isExecutable: (status.mode & 0o100) !== 0 }];
  });
}

function writeArchive({ folder, state }: ReleaseOptions, name: string, entries: ArchiveEntry[]): void {
  const archive = tarArchive(entries, state.timeSeconds);
  // Bun's own compressor writes neither a name nor a time, and the same bytes on every machine.
  const packed = Bun.gzipSync(new Uint8Array(archive), { level: GZIP_LEVEL, library: 'libdeflate' });
  writeFileSync(join(folder, name), packed);
}
