/** The pages before and after this one in the order of the menu. */
import type { ReactElement } from 'react';
import type { FrameProps, PageReference } from './frame-props.ts';
import styles from './PreviousNext.module.css';

export function PreviousNext({ previous, next }: Pick<FrameProps, 'previous' | 'next'>): ReactElement | null {
  if (previous === null && next === null) return null;
  return (
    <nav className={styles.ways} aria-label="Previous and next page" data-print="no">
      <Way page={previous} rel="prev" word="Previous" />
      <Way page={next} rel="next" word="Next" />
    </nav>
  );
}

function Way({ page, rel, word }: { page: PageReference | null; rel: 'prev' | 'next'; word: string }): ReactElement {
  if (page === null) return <span />;
  return (
    <a href={page.route} rel={rel}>
      <span className={styles.word}>{word}</span>
      <span className={styles.label}>{page.label}</span>
    </a>
  );
}
