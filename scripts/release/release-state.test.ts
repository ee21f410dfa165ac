import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { describeState, readState } from './release-state.ts';
import { sha256Of, sumsOf, tableOf } from './sums.ts';

const TIME = 1_700_000_000;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A repository with one commit of TIME. */
function repository(context: TestContext): string {
  if (Bun.which('git') === null) context.skip('git is not installed');
  const folder = folderWith({ 'package.json': '{"version":"1.2.3"}' });
  const settings = ['-c', 'user.name=n', '-c', 'user.email=e@example.com', '-c', 'commit.gpgsign=false'];
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    [...settings, 'commit', '-q', '-m', 'first'],
  ]) {
    const env = { ...process.env, GIT_COMMITTER_DATE: `${TIME} +0000`, GIT_AUTHOR_DATE: `${TIME} +0000` };
    const { exitCode, stderr } = Bun.spawnSync(['git', ...words], { cwd: folder, env, stderr: 'pipe' });
    expect([exitCode, stderr.toString()]).toEqual([0, expect.anything()]);
  }
  return folder;
}

test('a commit says version, hash and time; SOURCE_DATE_EPOCH has the last word on the time', (context) => {
  const folder = repository(context);
  const state = readState(folder, { mayBeDirty: false, env: {} });
  expect(state).toMatchObject({ version: '1.2.3', timeSeconds: TIME, isDirty: false });
  expect(describeState(state)).toMatch(/^Release 1\.2\.3 from commit [0-9a-f]{12} of 2023-11-14T22:13:20\.000Z$/);
  const later = readState(folder, { mayBeDirty: false, env: { SOURCE_DATE_EPOCH: '1' } });
  expect(later).toEqual({ ...state, timeSeconds: 1 });
  for (const wrong of ['', '-1', '1.5', 'now', '99999999999'])
    expect(() => readState(folder, { mayBeDirty: false, env: { SOURCE_DATE_EPOCH: wrong } })).toThrow(
      'SOURCE_DATE_EPOCH',
    );
});

test('changed and new files are named and refused, unless they may be there', (context) => {
  const folder = repository(context);
  for (let at = 1; at <= 7; at += 1) writeFileSync(join(folder, `new-${at}`), '');
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.4"}');
  expect(() => readState(folder, { mayBeDirty: false, env: {} })).toThrow(/package\.json, new-1, .* and 3 more/);
  const state = readState(folder, { mayBeDirty: true, env: {} });
  expect(state).toMatchObject({ version: '1.2.4', isDirty: true });
  expect(describeState(state)).toContain('not for publication');
});

test('outside of a repository there is nothing to name and no time', () => {
  const folder = folderWith({ 'package.json': '{"version":"1.2.3"}' });
  expect(() => readState(folder, { mayBeDirty: false, env: {} })).toThrow('no git repository');
  expect(() => readState(folder, { mayBeDirty: true, env: {} })).toThrow('SOURCE_DATE_EPOCH');
  const state = readState(folder, { mayBeDirty: true, env: { SOURCE_DATE_EPOCH: String(TIME) } });
  expect(state).toEqual({ version: '1.2.3', commit: '', timeSeconds: TIME, isDirty: true });
});

test('sums are those that sha256sum checks', (context) => {
  const folder = folderWith({ b: 'text', a: '', long: 'x'.repeat(200_000) });
  const sums = sha256Of(folder);
  expect(sums.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['a', 0],
    ['b', 4],
    ['long', 200_000],
  ]);
  expect(tableOf(sums)).toMatch(/^a {5}0\.0 kB .*\nb .*\nlong {2}0\.2 MB {2}[0-9a-f]{64}$/);
  if (Bun.which('sha256sum') === null) return context.skip('sha256sum is not installed');
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(sums));
  const checked = Bun.spawnSync(['sha256sum', '-c', 'SHA256SUMS'], { cwd: folder });
  expect(checked.stdout.toString()).toBe('a: OK\nb: OK\nlong: OK\n');
});
