import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declares, pathsIn, readWalks } from './walks.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const walks = ['CONTRIBUTING.md', 'conductor/README.md'].flatMap((file) => readWalks(read(file), posix.dirname(file)));
/** A screen of a terminal. */
const SCREEN_LINES = 40;

describe('the map', () => {
  const rooms = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|testing$|testdata$|dist$)/.test(entry.name))
      .map(({ name }) => name);

  test.each([
    ['CONTRIBUTING.md', '.'],
    ['conductor/README.md', 'conductor'],
    ['conductor/README.md', 'conductor/core'],
    ['conductor/adapters/README.md', 'conductor/adapters'],
    ['site/README.md', 'site'],
    ['tests/README.md', 'tests'],
    ['infra/README.md', 'infra'],
    ['content/README.md', 'content'],
  ])('%s names every room of %s', (file, folder) => {
    const text = read(file);
    const isNamed = (room: string): boolean => new RegExp(String.raw`[\[\x60/, ]${room}[/\x60]`).test(text);
    const named = rooms(folder).filter(isNamed);
    expect(rooms(folder).filter((room) => !named.includes(room))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  });

  test.each(['CONTRIBUTING.md', 'conductor/README.md'])('every path that %s names is there', (file) => {
    const folder = posix.dirname(file);
    const isThere = (path: string): boolean =>
      [folder, '.'].some((from) => {
        const full = join(root, from, path);
        return path.includes('*') ? globSync(full).length > 0 : existsSync(full);
      });
    const paths = pathsIn(read(file)).filter((path) => !/^(dist|\.)\//.test(path));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

describe('the walks', () => {
  test('there are five, each at most a screen', () => {
    expect(walks.map(({ title }) => title)).toEqual([
      'A page, to HTML',
      'A fault, to a verdict',
      'A commit, from the socket to the log and back',
      'From the death of a leader to the next block',
      'A flag, to its effect',
    ]);
    expect(walks.filter(({ lines }) => lines > SCREEN_LINES)).toEqual([]);
  });

  test.each(walks)('$title: every file is there, and declares what the walk says', ({ stops }) => {
    expect(stops.length).toBeGreaterThan(4);
    const lost = stops.flatMap(({ file, names }) => {
      if (!existsSync(join(root, file))) return [file];
      const source = read(file);
      return names.filter((name) => !declares(source, name)).map((name) => `${file}: ${name}`);
    });
    expect(lost).toEqual([]);
  });

  test('a name is declared, not merely mentioned', () => {
    const source =
      'export class Pump {\n  #a = 1;\n  push(x: number): void {\n    drain(x);\n  }\n}\nimport { other } from "x";\n';
    expect(['Pump', 'Pump.push'].map((name) => declares(source, name))).toEqual([true, true]);
    expect(['Pump.drain', 'other', 'push', 'Pum'].map((name) => declares(source, name))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
