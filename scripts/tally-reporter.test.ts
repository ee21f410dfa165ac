import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_REASON, parseTally, type Tally } from './tally.ts';

const root = join(import.meta.dirname, '..');
let folder = '';

beforeEach(() => {
  // Inside the checkout, so that the planted tests find vitest.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'reporter-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the reporter makes of one test file, run by a real Vitest. */
function tallyOf(source: string): Tally | null {
  writeFileSync(
    join(folder, 'planted.test.ts'),
    `import { beforeAll, describe, expect, test } from 'vitest';\n${source}`,
  );
  writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { pool: 'threads' } };");
  const file = join(folder, 'tally.json');
  const reporter = `--reporter=${join(root, 'scripts', 'tally-reporter.ts')}`;
  const command = ['--bun', join(root, 'node_modules', '.bin', 'vitest'), 'run', reporter];
  const result = spawnSync(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, CONDUCTOR_TALLY_FILE: file },
    encoding: 'utf8',
  });
  expect(result.error).toBeUndefined();
  return parseTally(readFileSync(file, 'utf8'));
}

test('counts tests, and carries the reason given to ctx.skip', { timeout: 30_000 }, () => {
  const tally = tallyOf(`
    test('passes', () => {});
    test('fails', () => { expect(1).toBe(2); });
    test('needs go', (ctx) => { ctx.skip('Go is not installed'); });
    test.skip('says nothing', () => {});
  `);
  const counts = {
    passed: 1,
    failed: 1,
    skipped: [
      { name: 'planted.test.ts > needs go', reason: 'Go is not installed' },
      { name: 'planted.test.ts > says nothing', reason: NO_REASON },
    ],
  };
  const message = 'fails: expected 1 to be 2 // Object.is equality';
  expect(tally).toEqual({ ...counts, failedFiles: [{ file: 'planted.test.ts', ...counts, message }], flaky: [] });
});

test('a suite whose set-up fails is a failure, not only skipped tests', { timeout: 30_000 }, () => {
  const tally = tallyOf(`
    describe('suite', () => {
      beforeAll(() => { throw new Error('no database'); });
      test('never runs', () => {});
    });
  `);
  expect(tally).toMatchObject({ passed: 0, failed: 1, failedFiles: [{ message: 'suite: no database' }] });
});

test('a file that cannot be loaded is a failure', { timeout: 30_000 }, () => {
  expect(tallyOf("import './missing.ts';")).toMatchObject({
    passed: 0,
    failed: 1,
    failedFiles: [{ file: 'planted.test.ts', message: expect.stringContaining('missing.ts') }],
  });
});
