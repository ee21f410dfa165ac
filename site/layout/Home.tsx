/**
 * The front page: what this is and the way to ask, the score of a hand-over, then the programme, which is the
 * page's own text with its headings in the margin. It has no menu column and no contents.
 */
import type { ReactElement } from 'react';
import type { FrameProps } from './frame-props.ts';
import { Score } from './Score.tsx';
import styles from './Home.module.css';

export function Home({ page, settings, children }: FrameProps): ReactElement {
  return (
    <main className={styles.home} id="text" tabIndex={-1}>
      <header className={styles.title}>
        <h1>{page.frontMatter.title}</h1>
        <div>
          <p>{settings.description}</p>
          <button type="button" className={styles.ask} data-search data-needs-script>
            <span>Search for a method, a flag, an error</span>
            <kbd data-search-key>/</kbd>
          </button>
        </div>
      </header>
      <Score />
      <article className={`prose ${styles.programme}`}>{children}</article>
    </main>
  );
}
