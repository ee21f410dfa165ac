/**
 * The state of the dialog: what is typed, what came back, whether search could be loaded at all. The worker
 * starts with the first use of the hook and lives as long as the page.
 */
import { useEffect, useMemo, useState } from 'react';
import type { SearchAnswer } from '../../search/answer.ts';
import { SearchClient } from './search-client.ts';

export interface SearchState {
  readonly query: string;
  /** Key of a part of the site; null for all of it. */
  readonly area: string | null;
  /** Of the newest question answered; null while nothing is typed. The one before stays until the next comes. */
  readonly answer: SearchAnswer | null;
  readonly loading: 'loading' | 'ready' | 'failed';
  /** Why it failed, a sentence. */
  readonly reason: string;
  ask(query: string, area: string | null): void;
  retry(): void;
}

export function useSearch(url: string): SearchState {
  const [query, setQuery] = useState('');
  const [area, setArea] = useState<string | null>(null);
  const [answer, setAnswer] = useState<SearchAnswer | null>(null);
  const [loading, setLoading] = useState<SearchState['loading']>('loading');
  const [reason, setReason] = useState('');
  const client = useMemo(
    () =>
      new SearchClient({
        url,
        open: () => new Worker(new URL('../../search/search.worker.ts', import.meta.url), { type: 'module' }),
        listener: {
          ready: () => setLoading('ready'),
          answered: setAnswer,
          failed: (why) => {
            setLoading('failed');
            setReason(why);
            setAnswer(null);
          },
        },
      }),
    [url],
  );
  useEffect(() => client.start(), [client]);

  const put = (asked: string, part: string | null): void => {
    if (asked.trim() === '') {
      client.forget();
      setAnswer(null);
    } else client.ask({ query: asked, ...(part === null ? {} : { area: part }) });
  };
  return {
    query,
    area,
    answer,
    loading,
    reason,
    ask: (asked, part) => {
      setQuery(asked);
      setArea(part);
      if (loading !== 'failed') put(asked, part);
    },
    retry: () => {
      setLoading('loading');
      client.start();
      put(query, area);
    },
  };
}
