import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { behaviourDifferences } from './behaviour-differences.ts';
import { answerDifferences } from './rpc/compatibility.ts';
import { methodTable } from './rpc/methods.ts';

const root = join(import.meta.dirname, '..', '..');
const tests = ['conductor', 'tests']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts') && path !== import.meta.filename)
  .map((path) => readFileSync(path, 'utf8'));

test.each(behaviourDifferences)('$area: $ours: there is a test "$shownBy"', ({ shownBy }) => {
  expect(tests.filter((text) => text.includes(`'${shownBy}'`))).toHaveLength(1);
});

test('every method that no recorded call to op-conductor names is told as a difference', () => {
  const recorded = readFileSync(join(import.meta.dirname, 'rpc/testdata/rpc-transcripts.json'), 'utf8');
  const rows = JSON.stringify([behaviourDifferences, answerDifferences]);
  const own = methodTable.map(({ name }) => name).filter((name) => !recorded.includes(name));
  expect(own).toContain('conductor_clusterNodes');
  const untold = own.filter((name) => !rows.includes(name));
  expect(
    untold.map((name) => `${name}: its row of rpc/methods.ts needs an own: { … }, which says how op-conductor differs`),
  ).toEqual([]);
});
