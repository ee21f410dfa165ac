/**
 * The text of `/search`: a form that works without a script, a place for the answer, which the edge fills in
 * (infra/edge/answer-page.ts), and all headings by letter for hosts that serve files alone. Keyboard: the field, its
 * button, then the letters.
 */
import type { ReactElement } from 'react';
import styles from './SearchPage.module.css';

export interface ListedHeading {
  readonly text: string;
  readonly href: string;
  /** Title of its page; empty where it is the title itself. */
  readonly page: string;
}

export interface LetterGroup {
  readonly letter: string;
  readonly headings: readonly ListedHeading[];
}

/** Of a question; longer ones are cut by the search. */
const QUERY_LENGTH_MAX = 300;

export function SearchPage({ letters }: { letters: readonly LetterGroup[] }): ReactElement {
  return (
    <>
      <form action="/search" role="search" className={styles.form}>
        <input
          className="control"
          type="search"
          name="q"
          aria-label="Search the documentation"
          maxLength={QUERY_LENGTH_MAX}
          autoComplete="off"
          data-search-field
        />
        <button type="submit" className={styles.submit}>
          Search
        </button>
      </form>
      <div data-search-answer />
      <section className={styles.listing} data-search-listing>
        <p>All titles and headings, by letter.</p>
        <nav aria-label="Letters">
          <ul className={styles.letters}>
            {letters.map(({ letter }) => (
              <li key={letter}>
                <a href={`#${idOf(letter)}`}>{letter}</a>
              </li>
            ))}
          </ul>
        </nav>
        {letters.map(({ letter, headings }) => (
          <section key={letter} className={styles.group} aria-labelledby={idOf(letter)}>
            <h2 id={idOf(letter)}>{letter}</h2>
            <ul className={styles.headings}>
              {headings.map(({ text, href, page }) => (
                <li key={href}>
                  <a href={href}>{text}</a>
                  {page === '' ? null : <span> {page}</span>}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
    </>
  );
}

function idOf(letter: string): string {
  return `letter-${letter.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}`;
}
