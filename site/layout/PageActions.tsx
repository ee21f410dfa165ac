/** What can be done with the page as a whole, under its title: read or copy its Markdown, fill
 * in one's own servers. */
import type { ReactElement } from 'react';
import type { Page } from '../engine/page.ts';
import { markdownTwin } from './Head.tsx';
import styles from './PageActions.module.css';

export interface PageActionsProps {
  readonly page: Page;
  /** Its commands name servers that may be the reader's. */
  readonly namesServers: boolean;
}

export function PageActions({ page, namesServers }: PageActionsProps): ReactElement {
  const twin = markdownTwin(page.route);
  return (
    <p className={styles.actions} data-print="no">
      <a href={twin}>Markdown</a>
      <button type="button" data-copy-page={twin} data-needs-script>
        Copy page
      </button>
      {namesServers ? (
        <button type="button" data-own-cluster data-needs-script>
          Your servers
        </button>
      ) : null}
    </p>
  );
}
