/** The search index that the built site ships, opened once for the tests of a file. */
import { beforeAll } from 'vitest';
import { folderSource, indexFolder } from '../../site/search/folder-source.ts';
import { SearchIndex } from '../../site/search/search-index.ts';
import { BUILD_MS_MAX, siteFolder } from './site-folder.ts';

/** To be called once in a file; the index is there in its tests. */
export function useBuiltIndex(): { readonly index: SearchIndex } {
  let index: SearchIndex | null = null;
  beforeAll(async () => {
    const folder = indexFolder(siteFolder());
    if (folder === undefined) throw new Error('The built site has no search index.');
    index = await SearchIndex.open(folderSource(folder));
  }, BUILD_MS_MAX);
  return {
    get index() {
      if (index === null) throw new Error('The index is opened before the first test.');
      return index;
    },
  };
}
