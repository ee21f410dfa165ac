/** An index in memory, for tests: the files that a build writes, without a disk. */
import type { Section } from '../engine/page.ts';
import { indexFiles } from './index-files.ts';
import { SearchIndex } from './search-index.ts';

export function openInMemory(sections: readonly Section[]): Promise<SearchIndex> {
  const files = indexFiles(sections);
  return SearchIndex.open((name) => {
    const text = files.get(name);
    return text === undefined ? Promise.reject(new Error(`the index has no ${name}`)) : Promise.resolve(text);
  });
}
