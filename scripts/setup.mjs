/**
 * Makes a checkout ready to run: brings Bun from npm into .tools/ and installs the packages of
 * bun.lock. Needs Node ≥ 20 and npm, nothing else; the network only the first time. Every npm
 * script runs it first: when all is in place it prints nothing and takes milliseconds.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './setup-lock.mjs';
import { endWithParent, runProgram } from './setup-run.mjs';

const NODE_MAJOR_MIN = 20;
/** npm waits minutes between its default retries; someone without a network should hear of it sooner. */
const NPM_RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];
/** Which settings of an outer npm a nested npm may inherit; others (prefix, omit, dry-run…) would misdirect it. */
const INHERITED_NPM_SETTING =
  /^npm_config_(registry|userconfig|globalconfig|cache|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|offline|prefer_offline|_?\/\/.*|@.*)$/i;

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, '.tools');
const bunLink = join(tools, 'bun');
const installingMark = join(tools, 'installing');
const stampFile = join(root, 'node_modules', '.setup-stamp');

/** Something the reader can act on; printed without a stack. */
class SetupError extends Error {}

try {
  await setUp();
} catch (error) {
  const text = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
  console.error(`Set-up stopped: ${text}`);
  process.exitCode = 1;
}

async function setUp() {
  const nodeMajor = Number(process.versions.node.split('.')[0]);
  if (nodeMajor < NODE_MAJOR_MIN) {
    throw new SetupError(
      `this is Node ${process.versions.node}; Node ${NODE_MAJOR_MIN} or newer is needed. Install one and run this again.`,
    );
  }
  const toolchain = JSON.parse(readFileSync(join(root, 'scripts', 'toolchain', 'package.json'), 'utf8'));
  /** @type {string} */
  const bunVersion = toolchain.version;
  const bunFolder = join(tools, `bun-${bunVersion}-${process.platform}-${process.arch}`);
  const stamp = stampOf(bunFolder);
  if (isReady(bunFolder, stamp)) return;
  mkdirSync(tools, { recursive: true });
  const release = await takeLock(join(tools, 'setup.lock'), () => {
    console.log('Another set-up of this checkout is running; waiting for it.');
  });
  endWithParent(release);
  try {
    if (isReady(bunFolder, stamp)) return;
    removeLeftovers();
    if (!existsSync(bunFolder)) await bringBun(bunVersion, bunFolder);
    linkBun(bunFolder);
    await installPackages(stamp);
    console.log('Set-up is complete; later runs need no network.');
  } finally {
    release();
  }
}

/**
 * What the installed state depends on.
 *
 * @param {string} bunFolder
 */
function stampOf(bunFolder) {
  const lock = readFileSync(join(root, 'bun.lock'));
  return `${basename(bunFolder)} ${createHash('sha256').update(lock).digest('hex')}\n`;
}

/**
 * @param {string} bunFolder
 * @param {string} stamp
 */
function isReady(bunFolder, stamp) {
  return (
    existsSync(bunFolder) && existsSync(bunLink) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  );
}

/** Staging folders of set-ups that were killed; with the lock held nobody uses them. */
function removeLeftovers() {
  for (const name of readdirSync(tools)) {
    if (name.startsWith('staging-')) rmSync(join(tools, name), { recursive: true, force: true });
  }
}

/**
 * Installs the one package of scripts/toolchain that fits this machine, checks that it runs, and only
 * then moves it into place.
 *
 * @param {string} version
 * @param {string} bunFolder
 */
async function bringBun(version, bunFolder) {
  console.log(`Fetching Bun ${version} from npm (about 40 MB, only the first time) …`);
  const staging = mkdtempSync(join(tools, 'staging-'));
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(root, 'scripts', 'toolchain', name), join(staging, name));
  }
  const settings = ['--ignore-scripts', '--include=optional', '--package-lock=true', '--no-audit', '--no-fund'];
  const command = [...npmCommand(), 'ci', `--prefix=${staging}`, ...settings, '--loglevel=error', ...NPM_RETRIES];
  const { code, output } = await runProgram('fetching Bun', command, { cwd: staging, env: npmEnvironment() });
  if (code !== 0) throw new SetupError(`Bun ${version} could not be fetched. ${networkAdvice(output)}`);
  const binary = findBinary(staging);
  if (binary === null) {
    throw new SetupError(
      `there is no Bun for ${process.platform} on ${process.arch} among the packages of scripts/toolchain. ` +
        'Linux and macOS on x64 and arm64 are supported.',
    );
  }
  const check = await runProgram('starting Bun', [binary, '--version'], { cwd: staging, env: process.env });
  if (check.code !== 0 || check.output !== version) {
    throw new SetupError(
      `the fetched Bun does not run here; it answered: ${check.output || `exit code ${check.code}`}`,
    );
  }
  chmodSync(staging, 0o755);
  renameSync(staging, bunFolder);
}

/**
 * @param {string} folder
 * @returns {string | null}
 */
function findBinary(folder) {
  const scope = join(folder, 'node_modules', '@oven');
  if (!existsSync(scope)) return null;
  const binaries = readdirSync(scope).map((name) => join(scope, name, 'bin', 'bun'));
  return binaries.find((path) => existsSync(path)) ?? null;
}

/**
 * Points .tools/bun at this platform's binary, in one step for whoever is starting it right now.
 *
 * @param {string} bunFolder
 */
function linkBun(bunFolder) {
  const binary = findBinary(bunFolder);
  if (binary === null) throw new SetupError(`${bunFolder} is damaged. Remove it and run this again.`);
  const fresh = join(tools, `staging-link-${process.pid}`);
  symlinkSync(relative(tools, binary), fresh);
  renameSync(fresh, bunLink);
}

/**
 * Installs exactly what bun.lock says. If an earlier install was cut short, its half-written packages go first.
 *
 * @param {string} stamp
 */
async function installPackages(stamp) {
  if (existsSync(installingMark)) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  console.log('Installing the packages of bun.lock …');
  writeFileSync(installingMark, '');
  const registry = await runProgram('asking npm for its registry', [...npmCommand(), 'config', 'get', 'registry'], {
    cwd: root,
    env: { ...npmEnvironment(), npm_config_loglevel: 'silent' },
  });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...npmEnvironment() };
  if (registry.code === 0 && registry.output.startsWith('http')) env['BUN_CONFIG_REGISTRY'] ??= registry.output;
  const command = [bunLink, 'install', '--frozen-lockfile', '--no-progress'];
  const { code, output } = await runProgram('installing packages', command, { cwd: root, env });
  if (code !== 0) throw new SetupError(`the packages could not be installed. ${networkAdvice(output)}`);
  writeFileSync(stampFile, stamp);
  rmSync(installingMark, { force: true });
}

/** The npm that started us, or the one on PATH. */
function npmCommand() {
  const outer = process.env['npm_execpath'];
  return outer !== undefined && basename(outer) === 'npm-cli.js' ? [process.execPath, outer] : ['npm'];
}

/** This process's environment without what an outer npm set for its own run. */
function npmEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || INHERITED_NPM_SETTING.test(name));
  return Object.fromEntries(kept);
}

/** @param {string} output */
function networkAdvice(output) {
  const lastLines = output.split('\n').slice(-8).join('\n  ');
  return `The first run needs the network (and whatever proxy and registry npm is configured with); later runs do not. What was said:\n  ${lastLines}`;
}
