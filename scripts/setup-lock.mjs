/**
 * One set-up of a checkout at a time. The lock is a file that names its holder; the holder renews
 * its modification time, so that a lock left by a killed set-up, a reboot or another container is
 * recognised and taken over. Plain Node ≥ 20: this runs before anything is installed.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;
const RENEW_MS = 2_000;
/** A holder that has not renewed its lock for this long is gone, even when its process cannot be seen from here. */
const ABANDONED_MS = 60_000;
/** Taking over takes milliseconds; a takeover file older than this was left by a crash. */
const TAKEOVER_ABANDONED_MS = 10_000;

/**
 * Waits for the lock at `path` and takes it. `onWait` is called once if another process holds it.
 * Returns the function that gives the lock back.
 *
 * @param {string} path
 * @param {() => void} onWait
 * @returns {Promise<() => void>}
 */
export async function takeLock(path, onWait) {
  const owner = `${hostname()} ${process.pid} ${process.hrtime.bigint()}\n`;
  let waited = false;
  while (!createExclusive(path, owner)) {
    if (isAbandoned(path)) {
      takeOver(path);
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await delay(POLL_MS);
  }
  const renewal = setInterval(() => renew(path), RENEW_MS);
  renewal.unref();
  return () => {
    clearInterval(renewal);
    if (readOrNull(path) === owner) rmSync(path, { force: true });
  };
}

/**
 * @param {string} path
 * @param {string} content
 */
function createExclusive(path, content) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function isAbandoned(path) {
  const content = readOrNull(path);
  if (content === null) return false;
  const [host, pid] = content.trim().split(' ');
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  return ageMs(path) > ABANDONED_MS;
}

/**
 * Removes an abandoned lock. A second lock guards the removal, so that nobody removes the fresh lock
 * of somebody who took over a moment earlier.
 *
 * @param {string} path
 */
function takeOver(path) {
  const guard = `${path}.takeover`;
  if (!createExclusive(guard, '')) {
    if (ageMs(guard) > TAKEOVER_ABANDONED_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** @param {string} path */
function renew(path) {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {string} path */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** @param {string} path */
function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
