import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { envNameOf } from './flags/definition.ts';
import { flagTable } from './flags.ts';
import { manPage } from './man-page.ts';

const commands = [{ name: 'run', doc: '.starts with a dot, has \\ and “quotes”' }];
const page = manPage({ version: '1.2.3', commands });

test('has every flag and its variable once, as text that roff takes for nothing else', () => {
  for (const { name } of flagTable) {
    expect(page.split(`\\fB\\-\\-${name.replaceAll('-', '\\-')}\\fR`), name).toHaveLength(2);
    expect(page.split(`\n${envNameOf(name)}\n`), name).toHaveLength(2);
  }
  expect(page).toContain('\n\\&.starts with a dot, has \\e and \\[u201C]quotes\\[u201D]\n');
  expect(page).toMatch(/^[\x20-\x7e\n]*\n$/);
});

test('is a page without a word of complaint from groff, with what stands in it', (context) => {
  if (Bun.which('groff') === null) return context.skip('groff is not installed');
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-c'], {
    input: page,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const text = stdout.replaceAll(/.\x08/g, '');
  expect(text).toContain('--healthcheck.unsafe-interval');
  expect(text).toContain('OP_CONDUCTOR_RPC_PORT');
  expect(text).toContain('.starts with a dot, has \\ and');
});
