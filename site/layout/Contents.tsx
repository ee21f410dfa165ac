/**
 * The headings of the page. A disclosure under the title on phones; beside the text on wide screens, where
 * the styles show it whether open or not and the page script marks the heading that is being read. Headings of the
 * fourth level are listed below the section that is being read, and below no other.
 */
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { Heading } from '../engine/page.ts';
import styles from './Contents.module.css';

/** A page with fewer headings needs no list of them. */
const HEADINGS_MIN = 2;

export interface ContentsProps {
  readonly headings: readonly Heading[];
  /** The page's commands name servers: whoever comes to a heading from elsewhere can name their own from there. */
  readonly namesServers: boolean;
}

export function Contents({ headings, namesServers }: ContentsProps): ReactElement | null {
  const chapters = chaptersOf(headings);
  if (chapters.flatMap((chapter) => [chapter.heading, ...chapter.parts]).length < HEADINGS_MIN) return null;
  return (
    <nav className={styles.contents} aria-label="On this page" data-contents>
      <details>
        <summary>On this page</summary>
        <ol>
          {chapters.map(({ heading, parts }) => (
            <li key={heading.slug}>
              <a href={`#${heading.slug}`}>{heading.text}</a>
              {parts.length === 0 ? null : (
                <ol>
                  {parts.map(({ heading: part, details }) => (
                    <li key={part.slug}>
                      <a href={`#${part.slug}`}>{part.text}</a>
                      {details.length === 0 ? null : (
                        <ol className={styles.details}>
                          {details.map((detail) => (
                            <li key={detail.slug}>
                              <a href={`#${detail.slug}`}>{breakable(detail.text)}</a>
                            </li>
                          ))}
                        </ol>
                      )}
                    </li>
                  ))}
                </ol>
              )}
            </li>
          ))}
        </ol>
        {namesServers ? (
          <button type="button" data-own-cluster data-needs-script>
            Fill in your servers
          </button>
        ) : null}
      </details>
    </nav>
  );
}

/** Identifiers are longer than the column: they are broken between their parts. */
function breakable(text: string): ReactNode {
  const pieces = text.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[._])(?=\w)/);
  return pieces.map((piece, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}

interface Chapter {
  readonly heading: Heading;
  readonly parts: readonly { readonly heading: Heading; readonly details: readonly Heading[] }[];
}

/**
 * Second-level headings with the third-level ones below each, and the fourth-level ones below those; a third-level
 * one before any stands alone, and a fourth-level one that is below none of the third is not listed.
 */
export function chaptersOf(headings: readonly Heading[]): readonly Chapter[] {
  const chapters: { heading: Heading; parts: { heading: Heading; details: Heading[] }[] }[] = [];
  for (const heading of headings) {
    const last = chapters.at(-1);
    if (heading.depth === 2 || (heading.depth === 3 && last === undefined)) chapters.push({ heading, parts: [] });
    else if (heading.depth === 3) last?.parts.push({ heading, details: [] });
    else if (heading.depth === 4) last?.parts.at(-1)?.details.push(heading);
  }
  return chapters;
}
