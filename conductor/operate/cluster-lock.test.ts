import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ClusterLockedError, lockCluster, lockPath, PROCEDURE_VARIABLE } from './cluster-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cluster-lock-'));
const file = join(folder, 'prod.toml');
const path = join(folder, 'prod.lock');
const byFile = { path: file, conductors: [] };
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => rmSync(path, { force: true }));

const held = (more: object): void =>
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: '', host: hostname(), command: 'rolling', ...more }));

test('it is beside the cluster file and gone when it is given back', () => {
  expect(lockPath(file)).toBe(path);
  const unlock = lockCluster(byFile, 'rolling');
  expect(readdirSync(folder)).toEqual(['prod.lock']);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

test('a second one is refused with the process and the command of the first, until that ends', () => {
  const unlock = lockCluster(byFile, 'rolling');
  expect(() => lockCluster(byFile, 'transfer')).toThrow(ClusterLockedError);
  expect(() => lockCluster(byFile, 'transfer')).toThrow(
    `conductor rolling is under way on this cluster file: process ${process.pid};`,
  );
  expect(readdirSync(folder)).toEqual(['prod.lock']);
  unlock();
  lockCluster(byFile, 'transfer')();
});

test('of a process that is gone, or whose number another one has now, it counts for nothing', () => {
  const child = Bun.spawnSync(['true']);
  held({ pid: child.pid });
  lockCluster(byFile, 'rolling')();
  if (existsSync('/proc/self/stat')) {
    held({ started: '1' });
    lockCluster(byFile, 'rolling')();
  }
  expect(existsSync(path)).toBe(false);
});

test('of another machine nobody can tell, and a damaged one is not guessed at', () => {
  held({ host: 'elsewhere.invalid' });
  expect(() => lockCluster(byFile, 'rolling')).toThrow(/on elsewhere\.invalid; delete .*prod\.lock if it is gone/);
  for (const text of ['', 'null', '{"pid":-1}', '[]']) {
    writeFileSync(path, text);
    expect(() => lockCluster(byFile, 'rolling')).toThrow(/prod\.lock is damaged/);
  }
});

test('a command of the procedure itself is let through, and leaves the lock to it', () => {
  const unlock = lockCluster(byFile, 'rolling');
  process.env[PROCEDURE_VARIABLE] = String(process.pid);
  try {
    lockCluster(byFile, 'resume')();
    expect(existsSync(path)).toBe(true);
  } finally {
    delete process.env[PROCEDURE_VARIABLE];
    unlock();
  }
});

test('where nothing can be written nobody is kept out', () => {
  const nowhere = join(folder, 'file');
  writeFileSync(nowhere, '');
  expect(() => lockCluster({ path: join(nowhere, 'prod.toml'), conductors: [] }, 'transfer')()).not.toThrow();
  rmSync(nowhere);
});

test('with --rpc the conductors themselves are locked: in whatever order, by whatever name, for files that name them, too', () => {
  const own = `lock-test-${process.pid}.invalid`;
  const [one, two, three] = ['1', '2', '3'].map((number) => `http://${own}:${number}`) as [string, string, string];
  const unlock = lockCluster({ path: null, conductors: [two, one] }, 'transfer');
  expect(() => lockCluster({ path: null, conductors: [one, two] }, 'pause')).toThrow(
    `conductor transfer is under way on the conductor at ${own}:1: process ${process.pid}`,
  );
  expect(() => lockCluster({ path: null, conductors: [three, `http://user:word@${own}:2/`] }, 'pause')).toThrow(
    ClusterLockedError,
  );
  expect(() => lockCluster({ path: file, conductors: [three, two] }, 'pause')).toThrow(ClusterLockedError);
  // What was refused holds nothing, and another cluster is free.
  expect(existsSync(path)).toBe(false);
  lockCluster({ path: null, conductors: [three] }, 'pause')();
  unlock();
  lockCluster({ path: file, conductors: [one, two, three] }, 'pause')();
  expect(readdirSync(join(tmpdir(), 'conductor-locks')).filter((name) => name.startsWith('lock-test-'))).toEqual([]);
});

test('of a conductor, the lock of a process that is gone is taken over', () => {
  const conductors = [`http://stale-test-${process.pid}.invalid/`];
  const lock = join(tmpdir(), 'conductor-locks', `stale-test-${process.pid}.invalid_80.lock`);
  lockCluster({ path: null, conductors }, 'pause')();
  const { pid } = Bun.spawnSync(['true']);
  writeFileSync(lock, JSON.stringify({ pid, started: '', host: hostname(), command: 'rolling' }));
  lockCluster({ path: null, conductors }, 'pause')();
  expect(existsSync(lock)).toBe(false);
});

test('the folder of all users lets nobody take away what is not theirs', () => {
  const shared = join(tmpdir(), 'conductor-locks');
  const conductors = [`http://sticky-test-${process.pid}.invalid/`];
  lockCluster({ path: null, conductors }, 'pause')();
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
});
