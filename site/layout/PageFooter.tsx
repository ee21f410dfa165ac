/** After the text: when it last changed, where to change it, where to say what is wrong with it. */
import type { ReactElement } from 'react';
import type { FrameProps } from './frame-props.ts';
import styles from './PageFooter.module.css';

export function PageFooter({ page, settings, lastUpdated, editUrl, canonicalUrl }: FrameProps): ReactElement {
  return (
    <div className={styles.footer} data-print="no">
      {lastUpdated === null ? null : (
        <p>
          Last updated <time dateTime={lastUpdated}>{dateInWords(lastUpdated)}</time>
        </p>
      )}
      <p>
        <a href={editUrl}>Edit this page</a>
      </p>
      <p>
        <a href={feedbackUrl(settings.repository, page.frontMatter.title, canonicalUrl)} data-feedback>
          Say what is wrong or missing
        </a>
      </p>
    </div>
  );
}

/** `2026-11-03…` as `3 November 2026`. */
function dateInWords(isoDate: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(isoDate));
}

/** The form of .github/ISSUE_TEMPLATE, with the page's name and address filled in. */
function feedbackUrl(repository: string, title: string, page: string): string {
  const query = new URLSearchParams({ template: 'documentation.yml', title: `Docs: ${title}`, page });
  return `${repository}/issues/new?${query.toString()}`;
}
