/**
 * The front page: what this is, a cluster that can be started with one verb and the ways in beside it, then the
 * programme, which is the page's own text with its headings in the margin, and the score of a hand-over. It has no menu
 * column and no contents.
 */
import type { ReactElement } from 'react';
import { Island } from '../mdx/Island.tsx';
import { StillCluster } from '../mdx/StillCluster.tsx';
import type { FrameProps } from './frame-props.ts';
import { Score } from './Score.tsx';
import styles from './Home.module.css';

export function Home({ page, settings, children }: FrameProps): ReactElement {
  return (
    <main className={styles.home} id="text" tabIndex={-1}>
      <header className={styles.title}>
        <h1>{page.frontMatter.title}</h1>
        <p>{settings.description}</p>
      </header>
      <div className={styles.cluster}>
        <Island name="HomeCluster" start="Kill the leader">
          <div className={styles.still}>
            <StillCluster />
            <p>
              Three sequencers, one of which builds the chain, a block per second. When it dies,{' '}
              <a href="/builders/chain-operators/tools/op-conductor">Conductor</a> has another go on.
            </p>
          </div>
        </Island>
      </div>
      <article className={`prose ${styles.programme}`}>{children}</article>
      <Score />
    </main>
  );
}
