import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { syncDirectory } from '#conductor/adapters/sqlite/directory';
import { asIfClear, journalPath, openJournal } from './journal.ts';

vi.mock('#conductor/adapters/sqlite/directory', { spy: true });

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshPath = (): string => join(folder, `${(files += 1)}.journal.json`);

test('it is beside the cluster file', () => {
  expect(journalPath('/etc/conductor/prod.toml')).toBe('/etc/conductor/prod.journal.json');
  expect(journalPath('/etc/cluster')).toBe('/etc/cluster.journal.json');
});

test('notes outlive the process and belong to one procedure', () => {
  const path = freshPath();
  openJournal(path, 'canary node-1').note('deployed', 'done');
  openJournal(path, 'canary node-2').note('deployed', 'half');
  expect(openJournal(path, 'canary node-1').read('deployed')).toBe('done');
  expect(openJournal(path, 'canary node-2').read('deployed')).toBe('half');
  expect(openJournal(path, 'rolling').read('deployed')).toBe(null);
});

test('the end of a procedure forgets its notes only; of the last, the file', () => {
  const path = freshPath();
  const one = openJournal(path, 'one');
  const other = openJournal(path, 'other');
  one.note('a', '1');
  other.note('a', '2');
  one.clear();
  expect(one.read('a')).toBe(null);
  expect(other.read('a')).toBe('2');
  other.clear();
  expect(existsSync(path)).toBe(false);
  other.clear();
});

test('as if it were clear: what was noted is forgotten with the first note, not before', () => {
  const path = freshPath();
  const journal = openJournal(path, 'rolling');
  journal.note('a', '1');
  const fresh = asIfClear(journal);
  expect(fresh.read('a')).toBe(null);
  expect(journal.read('a')).toBe('1');
  fresh.note('b', '2');
  fresh.note('c', '3');
  expect([journal.read('a'), fresh.read('b'), fresh.read('c')]).toEqual([null, '2', '3']);
});

test('one that the disk takes only in part is not put over the one before', () => {
  const path = freshPath();
  openJournal(path, 'a').note('b', 'c');
  const note = `require(${JSON.stringify(join(import.meta.dirname, 'journal.ts'))}).openJournal(process.argv.at(-1), 'a').note('b', 'x'.repeat(5000))`;
  // Blocks of 512 bytes: a write that crosses the bound is cut at it, without an error.
  const bounded = ['sh', '-c', `ulimit -f 8; trap '' XFSZ; exec "$@"`, 'sh'];
  const { exitCode, stderr } = Bun.spawnSync([...bounded, process.execPath, '-e', note, path], { stdout: 'ignore' });
  expect(exitCode).toBe(1);
  expect(String(stderr)).toContain('cannot be written');
  expect(openJournal(path, 'a').read('b')).toBe('c');
});

test.each(['note', 'clear'] as const)('the folder is on disk when a %s returns', (change) => {
  const path = freshPath();
  const journal = openJournal(path, 'a');
  journal.note('b', 'c');
  const synced: string[] = [];
  vi.mocked(syncDirectory).mockImplementation((directory) => void synced.push(`${directory} ${existsSync(path)}`));
  if (change === 'note') journal.note('b', 'd');
  else journal.clear();
  expect(synced).toEqual([`${folder} ${change === 'note'}`]);
});

test('names are words, whatever they are', () => {
  const path = freshPath();
  openJournal(path, '__proto__').note('constructor', 'x');
  expect(openJournal(path, '__proto__').read('constructor')).toBe('x');
  expect(openJournal(path, 'toString').read('length')).toBe(null);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"format":2,"procedures":{}}',
  '{"format":1,"procedures":{"a":{"b":1}}}',
  '{"format":1,"procedures":[1]}',
])('a damaged file is refused, not overwritten: %s', (text) => {
  const path = freshPath();
  writeFileSync(path, text);
  expect(() => openJournal(path, 'a')).toThrow(/is damaged/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a folder that cannot be written to is told', () => {
  expect(() => openJournal(join(folder, 'none', 'x.json'), 'a').note('b', 'c')).toThrow(/cannot be written/);
});
