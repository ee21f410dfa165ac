import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareDirectory } from './directory.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

/** Two meta pages with bolt's magic number, as raft-boltdb leaves them. */
function boltFile(): Uint8Array {
  const bytes = new Uint8Array(8192);
  for (const offset of [16, 4096 + 16]) bytes.set([0xed, 0xda, 0x0c, 0xed], offset);
  return bytes;
}

function directoryWith(files: Readonly<Record<string, Uint8Array | string>>): string {
  const directory = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

describe('prepareDirectory', () => {
  test('creates what is missing, for the owner only', () => {
    const directory = join(temporaryDirectory(), 'raft', 'n1');
    expect(prepareDirectory(directory)).toBe(join(directory, 'conductor.db'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  const strange: readonly [law: string, files: Record<string, Uint8Array | string>, code: string, sentence: RegExp][] =
    [
      [
        "refuses op-conductor's log alone",
        { 'raft-log.db': boltFile() },
        'legacy',
        /Take it over with `conductor import`/,
      ],
      [
        "refuses op-conductor's votes alone",
        { 'raft-stable.db': boltFile() },
        'legacy',
        /Take it over with `conductor import`/,
      ],
      ['refuses both logs', { 'raft-log.db': boltFile(), 'conductor.db': 'x' }, 'legacy', /holds both/],
      [
        'refuses to begin afresh after an import',
        { 'raft-log.db': 'moved', 'raft-log.db.imported': boltFile() },
        'legacy',
        /lived before/,
      ],
      ['refuses to begin afresh after an export', { 'conductor.db.exported': 'x' }, 'legacy', /lived before/],
      [
        'refuses a write-ahead log without its database',
        { 'conductor.db-wal': 'frames' },
        'corrupt',
        /missing or empty/,
      ],
      [
        'refuses one whose database is empty',
        { 'conductor.db-wal': 'frames', 'conductor.db': '' },
        'corrupt',
        /missing or empty/,
      ],
    ];

  test.each(strange)('%s', (_law, files, code, sentence) => {
    const directory = directoryWith(files);
    const expected = expect.objectContaining({ name: 'StoreError', code, message: expect.stringMatching(sentence) });
    expect(() => prepareDirectory(directory)).toThrow(expected);
    expect(readdirSync(directory).toSorted()).toEqual(Object.keys(files).toSorted());
  });

  test('goes on with our database after an import, whose files bolt cannot read', () => {
    const directory = directoryWith({
      'conductor.db': 'x',
      'raft-log.db': 'moved',
      'raft-log.db.imported': boltFile(),
    });
    expect(prepareDirectory(directory)).toBe(join(directory, 'conductor.db'));
  });

  test('says so when the place cannot be a directory', () => {
    const directory = directoryWith({ taken: 'a file' });
    expect(() => prepareDirectory(join(directory, 'taken'))).toThrow(expect.objectContaining({ code: 'io' }));
    mkdirSync(join(directory, 'fine'));
    expect(prepareDirectory(join(directory, 'fine'))).toContain('conductor.db');
  });
});
