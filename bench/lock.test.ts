import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processOf } from '#conductor/adapters/process/process-identity';
import { takeLock } from './lock.ts';
import { SettingError } from './setting-error.ts';

/** Beyond the highest process number of any system. */
const NO_PROCESS = 2 ** 30;

const { started } = processOf(process.pid)!;

function ownerOf(pid: number, start: string): string {
  return `${JSON.stringify({ pid, started: start, host: hostname(), command: 'bench' })}\n`;
}

function lockPath(owner: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'lock');
  if (owner !== null) writeFileSync(path, owner);
  return path;
}

test('a free lock is taken, with the number of its owner in it', () => {
  const path = lockPath(null);
  takeLock(path);
  expect(readFileSync(path, 'utf8')).toBe(ownerOf(process.pid, started));
});

test('a second benchmark is refused, told of the first', () => {
  const path = lockPath(null);
  takeLock(path);
  expect(() => takeLock(path)).toThrow(SettingError);
  expect(() => takeLock(path)).toThrow(`another benchmark runs (process ${process.pid})`);
});

test('the lock of a process that is gone is taken over', () => {
  const path = lockPath(ownerOf(NO_PROCESS, '123'));
  takeLock(path);
  expect(readFileSync(path, 'utf8')).toBe(ownerOf(process.pid, started));
});

test.runIf(started !== '')('so is one whose number belongs to another process by now', () => {
  takeLock(lockPath(ownerOf(process.pid, '1')));
});

test('a lock that was created a moment ago is no dead one', () => {
  expect(() => takeLock(lockPath(''))).toThrow(SettingError);
});
