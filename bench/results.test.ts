import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { BenchRun } from './options.ts';
import { writeResults } from './results.ts';

const whole: BenchRun = {
  ...{ isQuick: false, effort: 1, sides: ['go', 'bun'], keepsAnyway: false, leftOut: [] },
  ...{ rounds: null, matching: null },
  versions: { commit: 'abc-dirty' },
};
const said: string[] = [];

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
  said.length = 0;
});

function temporaryFolders(): { kept: string; aside: string } {
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = { kept: join(folder, 'kept'), aside: join(folder, 'aside') };
  for (const each of Object.values(folders)) mkdirSync(each);
  return folders;
}

function read(folder: string): { results: unknown; method: unknown; versions: unknown; machine: object } {
  return JSON.parse(readFileSync(join(folder, 'idle.json'), 'utf8')) as ReturnType<typeof read>;
}

test('a lesser run never replaces what a whole one kept, and says where it is and why', () => {
  const folders = temporaryFolders();
  writeResults(whole, { name: 'idle', method: {}, results: [1] }, folders);
  const lesser = [
    { ...whole, isQuick: true, effort: 0 },
    { ...whole, leftOut: ['gonode was left out'] },
    { ...whole, effort: 0.01 },
  ];
  for (const run of lesser) {
    writeResults(run, { name: 'idle', method: {}, results: [2] }, folders);
    expect(read(folders.kept).results).toEqual([1]);
    expect(read(folders.aside).method).toMatchObject({ effort: run.effort });
    expect(said.at(-1)).toMatch(/aside\/idle\.json, which takes no kept result's place: .+; --keep puts it/);
  }
  writeResults({ ...whole, effort: 0.01, keepsAnyway: true }, { name: 'idle', method: {}, results: [3] }, folders);
  expect(read(folders.kept).results).toEqual([3]);
});

test('effort, what was left out, versions and the machine stand beside the numbers', () => {
  const folders = temporaryFolders();
  const run = { ...whole, effort: 0.5, leftOut: ['ours was left out'] };
  writeResults(run, { name: 'idle', method: { seconds: 3 }, results: [] }, folders);
  const { method, versions, machine } = read(folders.aside);
  expect(method).toEqual({ isQuick: false, effort: 0.5, leftOut: ['ours was left out'], seconds: 3 });
  expect(versions).toEqual({ commit: 'abc-dirty' });
  expect(machine).toMatchObject({ loadAverageAtEnd: [expect.any(Number), expect.any(Number), expect.any(Number)] });
});

test('further files go where the numbers go', () => {
  const folders = temporaryFolders();
  const written = { name: 'idle', method: {}, results: [], files: { 'profiles/a.folded': 'main 1\n' } };
  writeResults(whole, written, folders);
  expect(readFileSync(join(folders.kept, 'profiles/a.folded'), 'utf8')).toBe('main 1\n');
  writeResults({ ...whole, isQuick: true }, written, folders);
  expect(existsSync(join(folders.aside, 'profiles/a.folded'))).toBe(true);
  expect(readdirSync(folders.kept)).toEqual(expect.arrayContaining(['idle.json', 'profiles']));
});

test('a kept file that cannot be read has nothing to lose', () => {
  const folders = temporaryFolders();
  writeFileSync(join(folders.kept, 'idle.json'), '{"name": "id');
  writeResults({ ...whole, effort: 0.1 }, { name: 'idle', method: {}, results: [1] }, folders);
  expect(read(folders.kept).results).toEqual([1]);
});
