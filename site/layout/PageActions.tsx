/** What can be done with the page as a whole, under its title: read or copy its Markdown. */
import type { ReactElement } from 'react';
import type { Page } from '../engine/page.ts';
import { markdownTwin } from './Head.tsx';
import styles from './PageActions.module.css';

export function PageActions({ page }: { page: Page }): ReactElement {
  const twin = markdownTwin(page.route);
  return (
    <p className={styles.actions} data-print="no">
      <a href={twin}>Markdown</a>
      <button type="button" data-copy-page={twin} data-needs-script>
        Copy page
      </button>
    </p>
  );
}
