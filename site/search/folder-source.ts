/** The search index of a built site, read from disk: for the command line and for tests. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HEAD_NAME } from './index-format.ts';
import type { SearchSource } from './search-index.ts';

/** The newest folder of index files of a built site, absolute; undefined when it has none. */
export function indexFolder(site: string): string | undefined {
  const [newest] = globSync(join(site, 'assets/search/*', HEAD_NAME)).toSorted(
    (a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs,
  );
  return newest === undefined ? undefined : dirname(newest);
}

export function folderSource(folder: string): SearchSource {
  return (name) => Promise.resolve(readFileSync(join(folder, name), 'utf8'));
}
