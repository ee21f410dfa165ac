/** What can be done with the page as a whole, under its title: read or copy its Markdown. */
import type { ReactElement } from 'react';
import type { Page } from '../engine/page.ts';
import { markdownTwin } from './Head.tsx';
import styles from './PageActions.module.css';

/** Words of technical prose read in a minute. */
const WORDS_PER_MINUTE = 200;

export function PageActions({ page }: { page: Page }): ReactElement {
  const minutes = Math.max(1, Math.round(page.words / WORDS_PER_MINUTE));
  const twin = markdownTwin(page.route);
  return (
    <p className={styles.actions} data-print="no">
      <span>{minutes === 1 ? '1 minute' : `${minutes} minutes`}</span>
      <a href={twin}>Markdown</a>
      <button type="button" data-copy-page={twin} data-needs-script>
        Copy page
      </button>
    </p>
  );
}
