/**
 * Makes a checkout ready to run: brings Bun from npm into .tools/ and installs the packages of
 * bun.lock. Needs Node ≥ 20 and npm, nothing else; the network only the first time. Every npm
 * script runs it first: when all is in place it prints nothing and takes milliseconds.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringBun, chooseBun } from './setup-bun.mjs';
import { networkAdvice, SetupError } from './setup-error.mjs';
import { takeLock } from './setup-lock.mjs';
import { bunInstallEnvironment } from './setup-npm.mjs';
import { endWithParent, runProgram } from './setup-run.mjs';

/** @typedef {import('./setup-bun.mjs').Bun} Bun */

const NODE_MAJOR_MIN = 20;

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, '.tools');
const bunLink = join(tools, 'bun');
const installingMark = join(tools, 'installing');
const stampFile = join(root, 'node_modules', '.setup-stamp');

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
  const bun = chooseBun(join(root, 'scripts'), tools);
  if (isReady(bun)) return;
  mkdirSync(tools, { recursive: true });
  const release = await takeLock(join(tools, 'setup.lock'), () => {
    console.log('Another set-up of this checkout is running; waiting for it.');
  });
  endWithParent(release);
  try {
    if (isReady(bun)) return;
    removeLeftovers();
    if (!existsSync(bun.binary)) {
      rmSync(bun.folder, { recursive: true, force: true });
      await bringBun(bun, join(root, 'scripts'), tools);
    }
    linkBun(bun);
    await installPackages(bun);
    console.log('Set-up is complete; later runs need no network.');
  } finally {
    release();
  }
}

/** @param {Bun} bun */
function isReady(bun) {
  if (!existsSync(bun.binary) || !existsSync(bunLink) || !existsSync(stampFile)) return false;
  return realpathSync(bunLink) === realpathSync(bun.binary) && readFileSync(stampFile, 'utf8') === stampOf(bun);
}

/**
 * What the installed state depends on: the lock file, and Bun with the kind of machine.
 *
 * @param {Bun} bun
 */
function stampOf(bun) {
  const lock = readFileSync(join(root, 'bun.lock'));
  return `${basename(bun.folder)} ${createHash('sha256').update(lock).digest('hex')}\n`;
}

/** Staging folders of set-ups that were killed; with the lock held nobody uses them. */
function removeLeftovers() {
  for (const name of readdirSync(tools)) {
    if (name.startsWith('staging-')) rmSync(join(tools, name), { recursive: true, force: true });
  }
}

/**
 * Points .tools/bun at this machine's binary, in one step for whoever is starting it right now.
 *
 * @param {Bun} bun
 */
function linkBun(bun) {
  const fresh = join(tools, `staging-link-${process.pid}`);
  symlinkSync(relative(tools, bun.binary), fresh);
  renameSync(fresh, bunLink);
}

/**
 * Installs exactly what bun.lock says, from npm's registry. If an earlier install was cut short, its
 * half-written packages go first.
 *
 * @param {Bun} bun
 */
async function installPackages(bun) {
  if (existsSync(installingMark)) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  console.log('Installing the packages of bun.lock …');
  writeFileSync(installingMark, '');
  const env = await bunInstallEnvironment(root);
  const command = [bun.binary, 'install', '--frozen-lockfile', '--no-progress'];
  const { code, output } = await runProgram('installing packages', command, { cwd: root, env });
  if (code !== 0) throw new SetupError(`the packages could not be installed. ${networkAdvice(output)}`);
  // npm scripts find it before the user's own, on a machine where it may not run.
  rmSync(join(root, 'node_modules', '.bin', 'node'), { force: true });
  writeFileSync(stampFile, stampOf(bun));
  rmSync(installingMark, { force: true });
}
