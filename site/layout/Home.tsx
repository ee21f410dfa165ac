/** The front page: what this is, the score of a hand-over, and the ways in. It has no menu column and no contents. */
import type { ReactElement } from 'react';
import type { FrameProps } from './frame-props.ts';
import styles from './Home.module.css';

export function Home({ page, children }: FrameProps): ReactElement {
  return (
    <main className={styles.home} id="text" tabIndex={-1}>
      <h1>{page.frontMatter.title}</h1>
      <div className="prose">{children}</div>
    </main>
  );
}
