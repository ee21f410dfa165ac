/**
 * Search on the edge: the code of site/search over the files of the built site that browsers fetch. Nothing is kept of
 * what is asked, but the files that it needed: the next question finds them read.
 */
import type { SearchAnswer, SearchRequest } from '../../site/search/answer.ts';
import { find } from '../../site/search/find.ts';
import { SearchIndex } from '../../site/search/search-index.ts';
import { textOf, type Assets } from './assets.ts';

/** Where the build says which index is the newest. */
const POINTER = '/search.json';

/**
 * An index serves one question at a time: a reader who goes away ends a request with all that it waits for, and another
 * that waited for the same would never be answered. Questions at the same time open their own, and the last one stays.
 */
let idle: SearchIndex | null = null;

/** Rejects with a sentence when the files cannot be read. `origin` is the address of the site. */
export async function searchSite(assets: Assets, origin: string, request: SearchRequest): Promise<SearchAnswer> {
  const index = takeIdle() ?? (await openIndex(assets, origin));
  const answer = await find(index, request);
  idle = index;
  return answer;
}

function takeIdle(): SearchIndex | null {
  const taken = idle;
  idle = null;
  return taken;
}

async function openIndex(assets: Assets, origin: string): Promise<SearchIndex> {
  const { index } = JSON.parse(await textOf(assets, origin, POINTER)) as { readonly index: string };
  return SearchIndex.open((name) => textOf(assets, origin, new URL(name, new URL(index, origin)).pathname));
}
