/**
 * The release after this one, for tests in which both run: this one with what a later one may change, which is more in
 * the peer status, and a store of a newer format.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** File, what stands there once, and what a later release has instead. */
const changes: readonly (readonly [string, string, string])[] = [
  ['conductor/cli/version.ts', "version = 'v", "version = 'v9"],
  [
    'conductor/core/wire/peer-status.ts',
    '    to.mapHeader(3 + optional + flags);\n',
    `    to.mapHeader(5 + optional + flags);
    to.key(encodeKey('Format'));
    to.unsigned(2);
    to.key(encodeKey('Later'));
    to.mapHeader(1);
    to.key(encodeKey('Deep'));
    to.arrayHeader(2);
    to.bool(true);
    to.bytes(new Uint8Array(300));\n`,
  ],
  ['conductor/adapters/sqlite/database.ts', 'formatVersion = 2;', 'formatVersion = 3;'],
  [
    'conductor/adapters/sqlite/database.ts',
    '  if (version === formatVersion || version === unnumberedFormat) return;\n',
    `  if (version === 2) database.run('PRAGMA user_version = 3');
  if (version === 2 || version === formatVersion || version === unnumberedFormat) return;\n`,
  ],
];

/** The files of the repository at `root` that differ in it, by path, as it has them. Throws where a change does not fit. */
export function sourcesOfNextRelease(root: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const [file, text, later] of changes) {
    const parts = (sources.get(file) ?? readFileSync(join(root, file), 'utf8')).split(text);
    if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(text)} ${parts.length - 1} times, not once`);
    sources.set(file, parts.join(later));
  }
  return sources;
}
