import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { parseEnvFile, readEnvFile } from './env-file.ts';

test('reads what systemd and docker read: comments, quotes, continued lines, the last of equal names', () => {
  const content = [
    '\uFEFF# comment',
    '; another',
    'A=1',
    'B="two words"',
    "C='it is $HOME'",
    'D = spaced ',
    'export E=x=y#z',
    'F=first\\',
    '  second',
    'G=',
    'A=2\r',
    'PASSED_ON',
    'H="say \\"hi\\" \\\\ \\$x"',
    '',
  ].join('\n');
  expect(parseEnvFile(content, 'x.env')).toEqual({
    A: '2',
    B: 'two words',
    C: 'it is $HOME',
    D: 'spaced',
    E: 'x=y#z',
    F: 'firstsecond',
    G: '',
    H: 'say "hi" \\ $x',
  });
});

test('names file and line of what cannot be read, and repeats no value', () => {
  expect(() => parseEnvFile('A=1\n\nnot a variable', 'x.env')).toThrow('x.env, line 3: this is not NAME=value');
  expect(() => parseEnvFile('TOKEN="secret', 'x.env')).toThrow(/^x\.env, line 1: the quote " is not closed$/);
  expect(() => parseEnvFile('A="', 'x.env')).toThrow('line 1');
  expect(() => readEnvFile(join(temporaryDirectory(), 'none'))).toThrow(/environment file .* cannot be read/);
  const large = join(temporaryDirectory(), 'large');
  writeFileSync(large, 'A='.padEnd(2_000_000, 'x'));
  expect(() => readEnvFile(large)).toThrow('more than');
});
