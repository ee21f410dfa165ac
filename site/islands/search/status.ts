/** What a screen reader hears of the search: one sentence per change, nothing while words are being typed. */
import type { SearchState } from './use-search.ts';

export function statusOf({
  query,
  answer,
  loading,
  reason,
}: Pick<SearchState, 'query' | 'answer' | 'loading' | 'reason'>): string {
  if (loading === 'failed') return `Search could not be loaded. ${reason}`;
  if (query.trim() === '') return '';
  if (answer === null) return loading === 'loading' ? 'Search is being loaded.' : '';
  if (answer.query !== query) return '';
  const [best] = answer.results;
  if (best === undefined) return `Nothing found for ${query}.`;
  const read = answer.respellings.map(({ typed, read: meant }) => ` ${typed} was read as ${meant}.`).join('');
  return `${pagesInWords(answer.pages)}, the first is ${best.pageTitle}.${read}`;
}

function pagesInWords(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}
