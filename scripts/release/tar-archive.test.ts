import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tarArchive, type ArchiveEntry } from './tar-archive.ts';

const TIME = 1_700_000_000;

function entry(path: string, text: string, isExecutable = false): ArchiveEntry {
  return { path, data: new TextEncoder().encode(text), isExecutable };
}

test('what is packed is what tar unpacks, with the modes and the one time', (context) => {
  context.skip(Bun.which('tar') === null, 'tar is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'conductor-tar-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const long = `${'folder/'.repeat(20)}${'n'.repeat(90)}`;
  const texts = { 'a/run': '#!/bin/sh\n', 'a/empty': '', block: 'x'.repeat(512), more: 'y'.repeat(513), [long]: 'z' };
  const entries = Object.entries(texts).map(([path, text]) => entry(path, text, path === 'a/run'));
  writeFileSync(join(folder, 'archive.tar'), tarArchive(entries, TIME));
  const unpacked = Bun.spawnSync(['tar', '-xf', 'archive.tar'], { cwd: folder, stderr: 'pipe' });
  expect([unpacked.exitCode, unpacked.stderr.toString()]).toEqual([0, '']);
  for (const [path, text] of Object.entries(texts)) expect(readFileSync(join(folder, path), 'utf8'), path).toBe(text);
  expect(statSync(join(folder, 'a/run')).mode & 0o111).not.toBe(0);
  expect(statSync(join(folder, 'more')).mode & 0o111).toBe(0);
  expect(statSync(join(folder, 'more')).mtimeMs).toBe(TIME * 1000);
});

test('the order in which files are found changes nothing', () => {
  const entries = [entry('b', '2'), entry('a', '1'), entry('a/c', '3')];
  expect(tarArchive(entries, TIME)).toEqual(tarArchive(entries.toReversed(), TIME));
});

test.each(['/absolute', 'a/../b', './a', 'a//b', 'a/', '', 'ü', 'a\nb', 'n'.repeat(101), `${'p'.repeat(156)}/n`])(
  'the path %j is refused',
  (path) => {
    expect(() => tarArchive([entry(path, '')], TIME)).toThrow(/archive/);
  },
);

test('a path that comes twice is refused', () => {
  expect(() => tarArchive([entry('a', '1'), entry('a', '2')], TIME)).toThrow('a is twice');
});
