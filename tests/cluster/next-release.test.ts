import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MsgpackWriter } from '#conductor/core/wire/msgpack-writer';
import { sourcesOfNextRelease } from './next-release.ts';

const root = join(import.meta.dirname, '../..');

test('what the next release changes is there once in this one', () => {
  const sources = sourcesOfNextRelease(root);
  expect(sources.size).toBe(3);
  for (const [file, source] of sources) expect(source, file).not.toBe(readFileSync(join(root, file), 'utf8'));
});

test('what it writes more is written with what the writer has', () => {
  const source = sourcesOfNextRelease(root).get('conductor/core/wire/peer-status.ts')!;
  const called = [...source.matchAll(/\bto\.(\w+)\(/g)].map(([, name]) => name!);
  expect(called).toContain('mapHeader');
  for (const name of called) expect(name in MsgpackWriter.prototype, name).toBe(true);
});
