import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeFile } from './take-file.ts';

test('a file that is taken away is as it was, and each of its descriptors is still closed once; others are left alone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'conductor-take-file-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [taken, left] = ['taken', 'left'].map((name) => join(directory, name)) as [string, string];
  for (const path of [taken, left]) writeFileSync(path, 'before');
  const descriptors = [taken, taken, left].map((path) => openSync(path, 'r+'));
  takeFile(taken);
  for (const descriptor of descriptors.slice(0, 2)) expect(() => writeSync(descriptor, 'after')).toThrow('EBADF');
  expect(readFileSync(taken, 'utf8')).toBe('before');
  expect(fstatSync(descriptors[0]!).isCharacterDevice()).toBe(true);
  writeSync(descriptors[2]!, 'after!');
  expect(readFileSync(left, 'utf8')).toBe('after!');
  for (const descriptor of descriptors) closeSync(descriptor);
  expect(() => takeFile(join(directory, 'none'))).toThrow('ENOENT');
});
