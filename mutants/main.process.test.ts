import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** `npm run mutants -- …`, as it ends. */
function mutants(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('says how it is used when it is asked, on stdout, and ends with 0', () => {
  const { status, stdout, stderr } = mutants('--help');
  expect(stdout).toMatch(/^usage: npm run mutants/);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each([
  ['a folder that is not there', ['--dir', '/no/such/folder'], /^there is no folder \/no\/such\/folder\n$/],
  ['a file instead of a folder', [`--dir=${import.meta.filename}`], /^there is no folder .*\.test\.ts\n$/],
  ['a folder without mutants', [`--dir=${join(import.meta.dirname, 'search')}`], /^there is no \*\.mutant in .*\n$/],
  ['an option that there is not', ['--hours=1'], /^usage: /],
])('%s is a misuse: a sentence, and 2', (_, args, sentence) => {
  const { status, stdout, stderr } = mutants(...args);
  expect(stderr).toMatch(sentence);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});
