/**
 * Every setting that reaches the core changes what it does: a field of its options that no code reads is a flag of no
 * effect, and types and the table of flags are content with it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const core = join(import.meta.dirname, '..', '..', 'conductor', 'core');
const texts = globSync('**/*.ts', { cwd: core })
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('testing/'))
  .map((file) => readFileSync(join(core, file), 'utf8'));

/** Names of the fields that stand in the interface of that name, but not those it takes from others. */
function fieldsOf(file: string, name: string): string[] {
  const text = readFileSync(join(core, file), 'utf8');
  const body = new RegExp(String.raw`interface ${name}\b[^{]*\{\n(.*?)\n\}`, 's').exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field]) => field as string);
}

/** Whether code asks an object for the field, or takes it out of one. */
function isRead(field: string): boolean {
  const asked = new RegExp(
    String.raw`\.${field}\b(?!\s*=[^=])|\{[^{}]*\b${field}\b[^{}]*\}\s*(=[^=>]|: \w*(Options|Settings)\b)`,
  );
  return texts.some((text) => asked.test(text));
}

test.each([
  ['raft/events.ts', 'RaftOptions', 20],
  ['control/control-host.ts', 'ControlSettings', 6],
  ['control/control-host.ts', 'ControlOptions', 3],
  ['health/check.ts', 'HealthOptions', 7],
  ['conductor-options.ts', 'ConductorOptions', 10],
])('what %s has as %s is read by the core', (file, name, countMin) => {
  const fields = fieldsOf(file, name);
  expect(fields.length).toBeGreaterThanOrEqual(countMin);
  const unread = fields.filter((field) => !isRead(field));
  expect(
    unread.map((field) => `no code of the core reads ${field}, a field of ${name}: its flag has no effect`),
  ).toEqual([]);
});

test('a field that nobody reads is told', () => {
  expect(isRead('nobodyReadsThis')).toBe(false);
});
