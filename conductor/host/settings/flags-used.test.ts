/**
 * A flag that nobody reads is a promise that is not kept: every row of the table is read by name, and every field that a
 * flag ends in is read by something that acts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagTable } from '#conductor/cli/flags';

const root = join(import.meta.dirname, '..', '..');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|testing\/|^cli\/flags/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const readers = sources.map(({ text }) => text);

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
  const idle = unread(names).filter((name) => !WITHOUT_EFFECT.test(name));
  expect(idle.map((name) => `no setting reads --${name}: add its line to host/settings/flags-config.ts`)).toEqual([]);
  expect(unread(names).length).toBe(names.filter((name) => WITHOUT_EFFECT.test(name)).length);
  expect(unread(['nobody.reads-this'])).toEqual(['nobody.reads-this']);
});

/** Names of the fields of an interface, and of the objects within it, as they are written. */
function fieldsOf(path: string, name: string): string[] {
  const [, body = ''] = readFileSync(join(root, path), 'utf8').split(
    new RegExp(`export interface ${name}\\b[^{]*\\{\n`),
  );
  return [...body.slice(0, body.indexOf('\n}')).matchAll(/\breadonly (\w+)\??:/g)].map(([, field]) => field as string);
}

/** Fields that no text asks for, neither behind a dot nor by taking an object apart. */
function unasked(fields: readonly string[], texts: readonly string[]): string[] {
  return fields.filter((field) => {
    const asked = new RegExp(`\\.${field}\\b(?! = )|\\{[^{}]*\\b${field}\\b[^{}]*\\}(?: = |: \\w)`);
    return !texts.some((text) => asked.test(text));
  });
}

test.each([
  ['RunConfig', 'host/settings/flags-config.ts', /^(?!host\/settings\/)/],
  ['EngineConfig', 'host/settings/engine-config.ts', /^(?!host\/settings\/)/],
  ['FlashblocksConfig', 'host/settings/rollup-boost-config.ts', /^(?!host\/settings\/)/],
  ['ConductorOptions', 'core/conductor-options.ts', /^core\//],
  ['ControlSettings', 'core/control/control-host.ts', /^core\/control\//],
  ['ControlOptions', 'core/control/control-host.ts', /^core\/control\//],
  ['HealthOptions', 'core/health/check.ts', /^core\/health\//],
  ['RaftOptions', 'core/raft/events.ts', /^core\/raft\/(?!options\.ts)/],
  ['RollupBoostOptions', 'core/health/rollup-boost.ts', /^core\/health\//],
])('every field of %s is read by what it is for', (name, path, isReader) => {
  const fields = fieldsOf(path, name);
  const texts = sources.filter((one) => isReader.test(one.path)).map(({ text }) => text);
  expect(fields.length).toBeGreaterThan(1);
  const idle = unasked(fields, texts);
  expect(idle.map((field) => `nobody reads ${field} of ${name}: its flag has no effect`)).toEqual([]);
  expect(unasked(['settingThatNobodyReads'], texts)).toEqual(['settingThatNobodyReads']);
});
