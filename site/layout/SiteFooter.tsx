/** The last lines of every page: the site in other forms, and its source; what is kept of it on this device. */
import type { ReactElement } from 'react';
import type { SiteSettings } from '../engine/settings.ts';
import styles from './SiteFooter.module.css';

export function SiteFooter({ settings }: { settings: SiteSettings }): ReactElement {
  return (
    <footer className={styles.footer} data-print="no">
      <div className={styles.inner}>
        <p>{settings.name}</p>
        <ul>
          <li>
            <a href="/llms.txt">For language models</a>
          </li>
          <li>
            <a href="/notices.xml">Notices as a feed</a>
          </li>
          <li>
            <a href={settings.repository}>Source</a>
          </li>
        </ul>
        <p className={styles.offline} data-needs-script>
          <button type="button" data-offline>
            Keep this site offline
          </button>
          <span role="status">About 15 MB on this device.</span>
        </p>
      </div>
    </footer>
  );
}
