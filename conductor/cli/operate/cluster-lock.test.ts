import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ClusterLockedError, lockCluster, lockPath, PROCEDURE_VARIABLE } from './cluster-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cluster-lock-'));
const file = join(folder, 'prod.toml');
const path = join(folder, 'prod.lock');
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => rmSync(path, { force: true }));

const held = (more: object): void =>
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: '', host: hostname(), command: 'rolling', ...more }));

test('it is beside the cluster file and gone when it is given back', () => {
  expect(lockPath(file)).toBe(path);
  const unlock = lockCluster(file, 'rolling');
  expect(readdirSync(folder)).toEqual(['prod.lock']);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

test('a second one is refused with the process and the command of the first, until that ends', () => {
  const unlock = lockCluster(file, 'rolling');
  expect(() => lockCluster(file, 'transfer')).toThrow(ClusterLockedError);
  expect(() => lockCluster(file, 'transfer')).toThrow(
    `conductor rolling is under way on this cluster file: process ${process.pid};`,
  );
  expect(readdirSync(folder)).toEqual(['prod.lock']);
  unlock();
  lockCluster(file, 'transfer')();
});

test('of a process that is gone, or whose number another one has now, it counts for nothing', () => {
  const child = Bun.spawnSync(['true']);
  held({ pid: child.pid });
  lockCluster(file, 'rolling')();
  if (existsSync('/proc/self/stat')) {
    held({ started: '1' });
    lockCluster(file, 'rolling')();
  }
  expect(existsSync(path)).toBe(false);
});

test('of another machine nobody can tell, and a damaged one is not guessed at', () => {
  held({ host: 'elsewhere.invalid' });
  expect(() => lockCluster(file, 'rolling')).toThrow(/on elsewhere\.invalid; delete .*prod\.lock if it is gone/);
  for (const text of ['', 'null', '{"pid":-1}', '[]']) {
    writeFileSync(path, text);
    expect(() => lockCluster(file, 'rolling')).toThrow(/prod\.lock is damaged/);
  }
});

test('a command of the procedure itself is let through, and leaves the lock to it', () => {
  const unlock = lockCluster(file, 'rolling');
  process.env[PROCEDURE_VARIABLE] = String(process.pid);
  try {
    lockCluster(file, 'resume')();
    expect(existsSync(path)).toBe(true);
  } finally {
    delete process.env[PROCEDURE_VARIABLE];
    unlock();
  }
});

test('where nothing can be written nobody is kept out', () => {
  const nowhere = join(folder, 'file');
  writeFileSync(nowhere, '');
  expect(() => lockCluster(join(nowhere, 'prod.toml'), 'transfer')()).not.toThrow();
  rmSync(nowhere);
});
