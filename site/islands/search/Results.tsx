/** What was found: pages with their sections, as one list of options; the chosen one has a bar in the margin. */
import type { MouseEvent, ReactNode } from 'react';
import type { Fragment, Hit, PageResult, SearchAnswer, Span } from '../../search/answer.ts';
import styles from './Search.module.css';

export interface ResultsProps {
  readonly answer: SearchAnswer;
  /** Position among all options, from 0. */
  readonly chosen: number;
  onChoose(position: number): void;
  onFollow(event: MouseEvent<HTMLAnchorElement>): void;
  /** Asked for when a part of the site has nothing. */
  onEverywhere(): void;
}

export function optionId(position: number): string {
  return `search-option-${position}`;
}

export function Results({ answer, chosen, onChoose, onFollow, onEverywhere }: ResultsProps): ReactNode {
  if (answer.results.length === 0) return <Nothing answer={answer} onEverywhere={onEverywhere} />;
  const first: number[] = [];
  let count = 0;
  for (const { hits } of answer.results) {
    first.push(count);
    count += hits.length;
  }
  return (
    <>
      {answer.respellings.length > 0 && (
        <p className={styles['remark']}>
          {answer.respellings.map(({ typed, read }) => (
            <span key={typed}>
              <s>{typed}</s> read as <strong>{read}</strong>{' '}
            </span>
          ))}
        </p>
      )}
      <div id="search-results" role="listbox" aria-label="Results" className={styles['results']}>
        {answer.results.map((page, position) => (
          <Page key={page.route} page={page}>
            {page.hits.map((hit, offset) => {
              const own = first[position]! + offset;
              return (
                <a
                  key={hit.href}
                  id={optionId(own)}
                  href={hit.href}
                  role="option"
                  aria-selected={own === chosen}
                  tabIndex={-1}
                  className={styles['option']}
                  onClick={onFollow}
                  onPointerMove={() => own === chosen || onChoose(own)}
                >
                  <HitLines hit={hit} />
                </a>
              );
            })}
          </Page>
        ))}
      </div>
    </>
  );
}

function Page({ page, children }: { readonly page: PageResult; readonly children: ReactNode }): ReactNode {
  const id = `search-page-${page.rank}`;
  return (
    <div role="group" aria-labelledby={id} className={styles['page']}>
      <div id={id} className={styles['title']}>
        <span className={styles['trail']}>{page.trail.join(' › ')}</span>
        <span className="unseen">: </span>
        <span>
          <Spans spans={page.titleSpans} />
        </span>
      </div>
      {children}
    </div>
  );
}

function HitLines({ hit }: { readonly hit: Hit }): ReactNode {
  const isTop = hit.slug === '';
  return (
    <>
      {isTop && hit.fragment !== null ? <span className="unseen">{hit.heading}: </span> : null}
      {!isTop || hit.fragment === null ? (
        <span className={styles['heading']}>{isTop ? hit.heading : <Spans spans={hit.headingSpans} />}</span>
      ) : null}
      {hit.fragment === null ? null : <FragmentLine fragment={hit.fragment} />}
    </>
  );
}

function FragmentLine({ fragment }: { readonly fragment: Fragment }): ReactNode {
  const spans = <Spans spans={fragment.spans} />;
  return fragment.kind === 'code' ? (
    <code className={styles['code']}>{spans}</code>
  ) : (
    <span className={styles['prose']}>{spans}</span>
  );
}

function Spans({ spans }: { readonly spans: readonly Span[] }): ReactNode {
  // Runs of a text never change places.
  return spans.map(({ text, isMatch }, position) => (isMatch ? <mark key={position}>{text}</mark> : text));
}

function Nothing({ answer, onEverywhere }: Pick<ResultsProps, 'answer' | 'onEverywhere'>): ReactNode {
  return (
    <div className={styles['nothing']}>
      <p>
        Nothing {answer.area === null ? 'on this site' : 'in this part of the site'} answers “{answer.query}”.
      </p>
      {answer.area !== null && answer.pagesEverywhere > 0 ? (
        <button type="button" onClick={onEverywhere}>
          Look in the whole site
        </button>
      ) : (
        <p>Try fewer words, the name of a method, flag or metric as it is written, or part of an error message.</p>
      )}
    </div>
  );
}
