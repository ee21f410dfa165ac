/** A flag that nobody reads is a promise that is not kept: every row of the table is read by name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagTable } from '#conductor/cli/flags';

const root = join(import.meta.dirname, '..', '..');
const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|testing\/|^cli\/flags/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'));

/** op-conductor's times of hard forks: taken, so that command lines go on working. The form of a payload says what it is. */
const WITHOUT_EFFECT = /^override\./;

/** Names that no code asks the parsed values for. */
function unread(names: readonly string[]): string[] {
  const asked = /\bvalues(?:, |\[)'([\w.-]+)'/g;
  const read = new Set(readers.flatMap((text) => [...text.matchAll(asked)].map(([, name]) => name)));
  return names.filter((name) => !read.has(name));
}

test('every flag of the table is read', () => {
  const names = flagTable.map(({ name }) => name);
  expect(unread(names).filter((name) => !WITHOUT_EFFECT.test(name))).toEqual([]);
  expect(unread(names).length).toBe(names.filter((name) => WITHOUT_EFFECT.test(name)).length);
  expect(unread(['nobody.reads-this'])).toEqual(['nobody.reads-this']);
});
