/** Reading a page: what counts as a command, which output is its, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CommandPage } from './page-commands.ts';

const FENCE = '```';

function page(...lines: readonly string[]): CommandPage {
  const folder = mkdtempSync(join(tmpdir(), 'page-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'page.mdx');
  writeFileSync(path, lines.join('\n'));
  return new CommandPage(relative(join(import.meta.dirname, '../..'), path));
}

test('a shell block is a command, the output block after it is what it printed', () => {
  const read = page(`${FENCE}sh run="a"`, 'echo 1', FENCE, '', 'and', '', `${FENCE}text output`, '1', FENCE);
  expect(read.commands).toEqual([{ name: 'a', command: 'echo 1', shown: '1' }]);
});

test('a command without an output block prints nothing; an output is never that of two commands', () => {
  const read = page(
    `${FENCE}sh run="a"`,
    'true',
    FENCE,
    `${FENCE}sh run="b"`,
    'echo',
    FENCE,
    `${FENCE}text output`,
    'x',
    FENCE,
  );
  expect(read.commands.map(({ shown }) => shown)).toEqual(['', 'x']);
});

test('blocks within lists and steps lose their indent, and only theirs', () => {
  const read = page(
    '1. Do',
    '',
    `   ${FENCE}sh run="a"`,
    '   for n in 1; do',
    '     echo $n',
    '   done',
    `   ${FENCE}`,
  );
  expect(read.command('a').command).toBe('for n in 1; do\n  echo $n\ndone');
});

test('a command without a name is found, too', () => {
  expect(page(`${FENCE}bash`, 'ls', FENCE).commands).toEqual([{ name: null, command: 'ls', shown: '' }]);
});

test('what is not there, or is there twice, is an error that says so', () => {
  const read = page(`${FENCE}sh run="a"`, FENCE, `${FENCE}sh run="a"`, FENCE, `${FENCE}yaml title="x"`, 'y: z', FENCE);
  expect(() => read.command('a')).toThrow('2 commands with run="a"');
  expect(() => read.command('b')).toThrow('0 commands');
  expect(read.file('x')).toBe('y: z');
  expect(() => read.file('y')).toThrow('0 blocks');
});

test('an element that nothing can write is an error with its line', () => {
  expect(() => page('', '<Generated from="no/such" />')).toThrow(/page\.mdx:2: .*no\/such/);
});
