/**
 * Makes a deb and an rpm of one binary: what they install is gathered in a folder, the rest is nfpm's, which reads
 * nfpm.yaml. nfpm is built once with Go, in the version of testdata/tools/go.mod, into the git-ignored .tools.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const here = import.meta.dirname;
const root = join(here, '../..');
const modules = join(here, 'testdata/tools');
const nfpm = 'github.com/goreleaser/nfpm/v2/cmd/nfpm';
const complaintLength = 800;
/** What a package has that the binary prints itself, by file. */
const printed = {
  'conductor.bash': ['completion', 'bash'],
  _conductor: ['completion', 'zsh'],
  'conductor.fish': ['completion', 'fish'],
} as const;
const scripts = ['after-install.sh', 'before-remove.sh', 'after-remove.sh'];
const packageKinds = ['deb', 'rpm'] as const;

export interface PackageOptions {
  /** The binary that is packaged. */
  readonly binary: string;
  /** As Go names it: amd64 or arm64. */
  readonly arch: string;
  readonly version: string;
  /** Words that run a conductor here, for what it prints of itself; the binary may be for another machine. */
  readonly program: readonly string[];
  /** Unix seconds: the time of every file. */
  readonly timeSeconds: number;
  /** Absolute path of an existing folder. */
  readonly outdir: string;
}

/** Path of nfpm, built if need be; or why it is not there. */
export async function needNfpm(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const version = /goreleaser\/nfpm\/v2 (v[\d.]+)/.exec(readFileSync(join(modules, 'go.mod'), 'utf8'))![1]!;
  const folder = join(root, '.tools');
  const path = join(folder, `nfpm-${version}`);
  if (existsSync(path)) return { path };
  if (Bun.which('go') === null) return { missing: 'Go is not installed, so nfpm cannot be built' };
  mkdirSync(folder, { recursive: true });
  const fresh = `${path}.${process.pid}`;
  const words = ['go', 'build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-o', fresh, nfpm];
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const child = Bun.spawn(words, { cwd: modules, env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
  const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) return { missing: `nfpm could not be built: ${complaints.slice(-complaintLength)}` };
  renameSync(fresh, path);
  return { path };
}

/** Makes the packages; resolves with their paths, in the order of `packageKinds`. Throws what nfpm complains of. */
export function makePackages(tool: string, options: PackageOptions): string[] {
  const files = mkdtempSync(join(tmpdir(), 'conductor-package-'));
  try {
    gather(files, options);
    return packageKinds.map((kind) => {
      const file = join(options.outdir, `conductor_${options.version}_${options.arch}.${kind}`);
      const env = {
        ...process.env,
        ARCH: options.arch,
        VERSION: options.version,
        SOURCE_DATE_EPOCH: String(options.timeSeconds),
      };
      run([tool, 'package', '--config', join(here, 'nfpm.yaml'), '--packager', kind, '--target', file], {
        env,
        cwd: files,
      });
      return file;
    });
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

/** All that nfpm.yaml names, in one folder. */
function gather(files: string, { binary, program }: PackageOptions): void {
  const systemd = join(root, 'infra/systemd');
  copyFileSync(binary, join(files, 'conductor'));
  writeFileSync(
    join(files, 'conductor.service'),
    packagedUnit(readFileSync(join(systemd, 'conductor.service'), 'utf8')),
  );
  copyFileSync(join(systemd, 'conductor.sysusers'), join(files, 'conductor.sysusers'));
  copyFileSync(join(systemd, 'conductor.env.example'), join(files, 'conductor.env'));
  copyFileSync(join(root, 'infra/tls/make-ca.sh'), join(files, 'make-ca.sh'));
  copyFileSync(join(root, 'LICENSE'), join(files, 'copyright'));
  for (const script of scripts) copyFileSync(join(here, script), join(files, script));
  writeFileSync(join(files, 'conductor.1.gz'), gzipSync(run([...program, 'man'])));
  for (const [file, words] of Object.entries(printed)) writeFileSync(join(files, file), run([...program, ...words]));
}

/** The unit where the binary lies in /usr/bin, as of everything that a package manager installs. */
export function packagedUnit(unit: string): string {
  return unit.replace('ExecStart=/usr/local/bin/conductor', 'ExecStart=/usr/bin/conductor');
}

function run(
  words: readonly string[],
  where: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Buffer {
  const [program = '', ...others] = words;
  const { status, stdout, stderr } = spawnSync(program, others, { ...where, maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${`${stdout}${stderr}`.slice(-complaintLength)}`);
  return stdout;
}
