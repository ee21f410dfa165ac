/** What a screen reader hears of the search: one sentence per change, nothing while words are being typed. */
import type { SearchAnswer } from '../../search/answer.ts';

export type Loading = 'loading' | 'ready' | 'failed';

export interface Heard {
  readonly query: string;
  readonly answer: SearchAnswer | null;
  readonly loading: Loading;
  /** Why it failed, a sentence. */
  readonly reason: string;
}

export function statusOf({ query, answer, loading, reason }: Heard): string {
  if (loading === 'failed') return `Search could not be loaded. ${reason}`;
  if (query.trim() === '') return '';
  if (answer === null) return loading === 'loading' ? 'Search is being loaded.' : '';
  // What names alone have is about to change.
  if (answer.query !== query || answer.pass === 'names') return '';
  const [best] = answer.results;
  if (best === undefined) return `Nothing found for ${query}.`;
  const read = answer.respellings.map(({ typed, read: meant }) => ` ${typed} was read as ${meant}.`).join('');
  return `${pagesInWords(answer.pages)}, the first is ${best.pageTitle}.${read}`;
}

function pagesInWords(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}
