/**
 * A whole document: head, bars, menu, text, contents. It is rendered once per page at build time and is
 * complete without JavaScript: the menu sheet is a popover, the contents a disclosure, folders are details.
 * Keyboard: the skip link is first, then the bar, the menu (in text order on phones), the text.
 */
import type { ReactElement } from 'react';
import { AreaTabs } from './AreaTabs.tsx';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { Contents } from './Contents.tsx';
import type { FrameProps } from './frame-props.ts';
import { Head } from './Head.tsx';
import { Home } from './Home.tsx';
import { Nearest } from './Nearest.tsx';
import { PageActions } from './PageActions.tsx';
import { PageFooter } from './PageFooter.tsx';
import { PreviousNext } from './PreviousNext.tsx';
import { Sidebar } from './Sidebar.tsx';
import { SiteFooter } from './SiteFooter.tsx';
import { TopBar } from './TopBar.tsx';
import styles from './Frame.module.css';

/** Pages of errors, and that of search: they have no place in the menu, so no neighbours and no edit link. */
const APART: readonly string[] = ['/404', '/500', '/search'];

export function Frame(props: FrameProps): ReactElement {
  const { page, assets } = props;
  const isHome = page.route === '/';
  return (
    <html lang={page.frontMatter.lang}>
      <Head {...props} />
      <body data-route={page.route} data-search-index={assets.searchIndex}>
        <a className={styles.skip} href="#text">
          Skip to the text
        </a>
        <TopBar settings={props.settings} tree={props.tree} isHome={isHome} />
        {isHome ? null : <AreaTabs tree={props.tree} route={page.route} />}
        <div className={isHome ? styles.wide : styles.page}>
          <Sidebar tree={props.tree} route={page.route} asSheet={isHome} />
          {isHome ? <Home {...props} /> : <Text {...props} />}
        </div>
        <SiteFooter settings={props.settings} />
      </body>
    </html>
  );
}

function Text(props: FrameProps): ReactElement {
  const { page } = props;
  const isApart = APART.includes(page.route);
  return (
    <main className={styles.main} id="text" tabIndex={-1}>
      <header className={styles.head}>
        {isApart ? null : <Breadcrumbs trail={props.trail} />}
        <h1>{page.frontMatter.title}</h1>
        {isApart ? null : <PageActions page={page} namesServers={props.namesServers} />}
      </header>
      <Contents headings={page.headings} namesServers={props.namesServers} />
      <article className={`prose ${styles.article}`}>
        {props.children}
        {page.route === '/404' ? <Nearest /> : null}
      </article>
      {isApart ? null : (
        <footer className={styles.foot}>
          <PageFooter {...props} />
          <PreviousNext previous={props.previous} next={props.next} />
        </footer>
      )}
    </main>
  );
}
