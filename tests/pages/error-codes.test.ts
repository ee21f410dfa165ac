/** Every code that the conductor answers, ends or refuses with has a section on the page of error codes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricTable } from '#conductor/core/metrics';
import { exitCodes } from '#conductor/operate/exit-codes';
import { ErrorCode } from '#conductor/core/rpc/message';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'content/pages/conductor/runbooks/errors.mdx'), 'utf8');
const sections = new Map(
  page.split(/^#{2,3} /m).map((text) => {
    const [title = '', ...lines] = text.split('\n');
    return [title, lines.join('\n').trim()];
  }),
);

/** The members of a union of texts, as it stands in the source. */
function codesOf(file: string, type: string): string[] {
  const source = readFileSync(join(root, 'conductor', file), 'utf8');
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(source)?.[1] ?? '';
  return [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code as string);
}

const store = codesOf('adapters/sqlite/store-error.ts', 'StoreErrorCode');
const migration = codesOf('migration/migration-error.ts', 'MigrationErrorCode');

test('the source has codes', () => {
  expect(store.length).toBeGreaterThan(5);
  expect(migration.length).toBeGreaterThan(5);
});

test.each([
  ...Object.values(ErrorCode).map(String),
  ...store,
  ...migration,
  'Exit code 0',
  'Exit code 1',
  'Exit code 2',
])('%s has a section that says something', (code) => expect(sections.get(code)?.length ?? 0).toBeGreaterThan(20));

test('every code of the store commands has a row', () => {
  const codes = codesOf('operate/store/refusal.ts', 'RefusalCode');
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes)
    expect(sections.get('Backup, restore and recover')).toMatch(new RegExp(`^\\| \`${code}\` \\| \\S`, 'm'));
});

test('every exit code of the operators’ commands has a row', () => {
  const table = sections.get("Exit codes of the operators' commands") ?? '';
  for (const code of Object.values(exitCodes)) expect(table).toMatch(new RegExp(`^\\| ${code} \\| \\S`, 'm'));
});

test('every reason for which a payload is refused, and for which a conductor is not ready, is told', () => {
  const sequencer = readFileSync(join(root, 'content/pages/conductor/runbooks/sequencer.mdx'), 'utf8');
  const reasons = metricTable.find(({ name }) => name === 'payloads_refused_total')?.known ?? [];
  expect(reasons.length).toBeGreaterThan(4);
  for (const reason of reasons.filter((one) => one !== 'not-leader')) expect(sequencer).toContain(`| \`${reason}\` |`);
  const readiness = readFileSync(join(root, 'conductor/core/readiness.ts'), 'utf8');
  const said = [...readiness.matchAll(/return ['`]([^'`]+)['`]/g)].map(([, text]) => text as string).filter(Boolean);
  expect(said.length).toBeGreaterThan(5);
  for (const text of said) {
    const [longest = ''] = text.split(/:? ?\$\{[^}]+\} ?/).toSorted((a, b) => b.length - a.length);
    expect(sections.get('Not ready')).toContain(longest);
  }
});
