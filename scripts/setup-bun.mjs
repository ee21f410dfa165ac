/**
 * Brings the Bun of toolchain.json from npm: the one package that fits this machine, checked against
 * its pinned sha-512, without running any install script. Plain Node ≥ 20: this runs before anything
 * is installed.
 */
import { chmodSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmCommand, npmEnvironment, NPM_RETRIES } from './setup-npm.mjs';
import { networkAdvice, SetupError } from './setup-error.mjs';
import { runProgram } from './setup-run.mjs';

/**
 * @typedef {object} Build
 * @property {string} package Name on npm.
 * @property {string} platform As in process.platform.
 * @property {string} arch As in process.arch.
 * @property {'glibc' | 'musl'} [libc] On Linux.
 * @property {string} integrity sha-512 of the package's archive, as npm writes it.
 */

/**
 * @typedef {object} Bun
 * @property {string} version
 * @property {Build} build
 * @property {string} folder Where it is, or will be, installed; one per version and kind of machine.
 * @property {string} binary
 */

/**
 * @typedef {object} Machine
 * @property {string} platform As in process.platform.
 * @property {string} arch As in process.arch.
 * @property {'glibc' | 'musl'} [libc] On Linux; this machine's when absent.
 */

/**
 * The Bun this checkout wants on a machine; on this one unless another is named.
 *
 * @param {string} scripts Folder of toolchain.json.
 * @param {string} tools Folder to install into.
 * @param {Machine} machine
 * @returns {Bun}
 */
export function chooseBun(scripts, tools, machine = { platform: process.platform, arch: process.arch }) {
  /** @type {{ bun: string, builds: Build[] }} */
  const { bun: version, builds } = JSON.parse(readFileSync(join(scripts, 'toolchain.json'), 'utf8'));
  const { platform, arch } = machine;
  const libc = platform === 'linux' ? (machine.libc ?? findLibc()) : undefined;
  const build = builds.find((one) => one.platform === platform && one.arch === arch && one.libc === libc);
  if (build === undefined) {
    throw new SetupError(
      `there is no Bun ${version} for ${platform} on ${arch}. Linux and macOS on x64 and arm64 are supported ` +
        '(on Windows, use WSL).',
    );
  }
  const folder = join(tools, `bun-${version}-${build.package.replace(/^.*\/bun-/, '')}`);
  return { version, build, folder, binary: binaryIn(folder, build) };
}

/**
 * Installs into a staging folder, checks that the binary runs here (unless it is for another machine), and
 * only then moves it into place. The caller holds the lock of set-up.
 *
 * @param {Bun} bun
 * @param {string} scripts Folder of toolchain.json.
 * @param {string} tools
 */
export async function bringBun(bun, scripts, tools) {
  const { version, build, folder } = bun;
  console.log(
    `Fetching Bun ${version} for ${build.platform} ${build.arch} from npm (about 40 MB, only the first time) …`,
  );
  const staging = mkdtempSync(join(tools, 'staging-'));
  chmodSync(staging, 0o755);
  writeManifest(staging, version, build);
  const settings = ['--ignore-scripts', '--package-lock=true', '--no-audit', '--no-fund', '--loglevel=error'];
  const command = npmCommand().concat('ci', `--prefix=${staging}`, settings, NPM_RETRIES);
  const { code, output } = await runProgram('fetching Bun', command, { cwd: staging, env: npmEnvironment() });
  if (code !== 0) throw new SetupError(`Bun ${version} could not be fetched. ${networkAdvice(output)}`);
  if (chooseBun(scripts, tools).build.package === build.package) await checkBun(binaryIn(staging, build), version);
  renameSync(staging, folder);
}

/**
 * @param {string} binary
 * @param {string} version
 */
async function checkBun(binary, version) {
  const check = await runProgram('starting Bun', [binary, '--version'], { cwd: dirname(binary), env: process.env });
  if (check.code !== 0 || check.output !== version) {
    throw new SetupError(`the fetched Bun does not run here: ${check.output || `exit code ${check.code}`}`);
  }
}

/**
 * What `npm ci` installs from: the one package and its checksum, without an address, so that it comes
 * from whatever registry npm is configured with.
 *
 * @param {string} staging
 * @param {string} version
 * @param {Build} build
 */
function writeManifest(staging, version, build) {
  const manifest = { name: 'toolchain', private: true, dependencies: { [build.package]: version } };
  const lock = {
    name: manifest.name,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, [`node_modules/${build.package}`]: { version, integrity: build.integrity } },
  };
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(staging, 'package-lock.json'), JSON.stringify(lock));
}

/**
 * @param {string} folder
 * @param {Build} build
 */
function binaryIn(folder, build) {
  return join(folder, 'node_modules', build.package, 'bin', 'bun');
}

function findLibc() {
  // Without this the report looks up the names of all open connections.
  Object.assign(process.report, { excludeNetwork: true });
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}
