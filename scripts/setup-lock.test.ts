import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from './setup-lock.mjs';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process id that was in use a moment ago and is no longer. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** Takes the lock `count` times at once and returns how many held it together at the most. */
async function race(count: number): Promise<number> {
  let holders = 0;
  let most = 0;
  const takers = Array.from({ length: count }, async () => {
    const release = await takeLock(path, () => {});
    holders += 1;
    most = Math.max(most, holders);
    await new Promise((resolve) => setImmediate(resolve));
    holders -= 1;
    release();
  });
  await Promise.all(takers);
  return most;
}

test('one holder at a time, and the file is gone afterwards', async () => {
  expect(await race(4)).toBe(1);
  expect(existsSync(path)).toBe(false);
});

test('a waiting taker is told so once and goes on when the lock is given back', async () => {
  const release = await takeLock(path, () => {});
  let told = 0;
  const second = takeLock(path, () => {
    told += 1;
    release();
  });
  (await second)();
  expect(told).toBe(1);
});

test('the lock of a process that died is taken over, by one taker only', async () => {
  writeFileSync(path, `${hostname()} ${deadPid()} 1\n`);
  expect(await race(4)).toBe(1);
});

test('the lock of another machine is taken over once it is no longer renewed', async () => {
  writeFileSync(path, `another-machine ${process.pid} 1\n`);
  const longAgo = new Date(Date.now() - 10 * 60_000);
  utimesSync(path, longAgo, longAgo);
  const release = await takeLock(path, () => {});
  release();
  expect(existsSync(path)).toBe(false);
});

test('a holder that lost its lock to a takeover does not remove the new one', async () => {
  const release = await takeLock(path, () => {});
  writeFileSync(path, 'somebody else\n');
  release();
  expect(existsSync(path)).toBe(true);
});
