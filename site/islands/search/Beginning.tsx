/** The dialog before there is an answer: recent searches and what can be typed; or why there will be no answer. */
import type { ReactNode } from 'react';
import type { SearchState } from './use-search.ts';
import styles from './Search.module.css';

export interface BeginningProps {
  readonly search: SearchState;
  readonly recent: readonly string[];
  onAsk(query: string): void;
  onForget(): void;
}

const EXAMPLES = [
  ['a method', 'conductor_addServerAsVoter'],
  ['a flag or variable', '--raft.bootstrap'],
  ['an error message', 'refusing to proxy request'],
  ['a question', 'how long does a withdrawal take'],
] as const;

export function Beginning({ search, recent, onAsk, onForget }: BeginningProps): ReactNode {
  if (search.loading === 'failed') {
    return (
      <div className={styles['nothing']}>
        <p>Search could not be loaded. {search.reason}</p>
        <p>If trying again does not help, reload the page: the site may have changed since it was opened.</p>
        <button type="button" onClick={search.retry}>
          Try again
        </button>
      </div>
    );
  }
  if (search.query.trim() !== '') return <p className={styles['remark']}>Reading the pages…</p>;
  return (
    <div className={styles['beginning']}>
      {recent.length > 0 && (
        <section>
          <h2>Recent</h2>
          <ul>
            {recent.map((query) => (
              <li key={query}>
                <button type="button" onClick={() => onAsk(query)}>
                  {query}
                </button>
              </li>
            ))}
          </ul>
          <button type="button" className={styles['forget']} onClick={onForget}>
            Forget these
          </button>
        </section>
      )}
      <section>
        <h2>Search for</h2>
        <ul>
          {EXAMPLES.map(([kind, query]) => (
            <li key={kind}>
              {kind}:{' '}
              <button type="button" onClick={() => onAsk(query)}>
                {query}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
