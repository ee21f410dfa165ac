import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { behaviourDifferences } from './behaviour-differences.ts';

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
