import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourcesOfNextRelease } from './next-release.ts';

const root = join(import.meta.dirname, '../..');

test('what the next release changes is there once in this one', () => {
  const sources = sourcesOfNextRelease(root);
  expect(sources.size).toBe(3);
  for (const [file, source] of sources) expect(source, file).not.toBe(readFileSync(join(root, file), 'utf8'));
});
