/**
 * The bar on top: the mark, the way to the menu on phones, search, links to places outside, theme.
 * Words instead of icons. Search opens as a dialog, and is a page without JavaScript; the theme needs it, and is not
 * shown without.
 * Keyboard: Tab in reading order; ⌘K, Ctrl K or / open search from anywhere.
 */
import type { ReactElement } from 'react';
import type { PageTreeEntry } from '../engine/page.ts';
import type { SiteSettings } from '../engine/settings.ts';
import { Mark } from './Mark.tsx';
import { OutsideLinks } from './OutsideLinks.tsx';
import { MENU_ID } from './Sidebar.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import styles from './TopBar.module.css';

export interface TopBarProps {
  readonly settings: SiteSettings;
  readonly tree: readonly PageTreeEntry[];
  /** The menu of the home page is a sheet on every width. */
  readonly isHome: boolean;
}

export function TopBar({ settings, tree, isHome }: TopBarProps): ReactElement {
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <button
          type="button"
          className={isHome ? `${styles.menu} ${styles.always}` : styles.menu}
          popoverTarget={MENU_ID}
        >
          Menu
        </button>
        <a className={styles.name} href="/">
          <Mark />
          <span>{settings.name}</span>
        </a>
        <nav className={styles.links} aria-label="Elsewhere">
          <OutsideLinks tree={tree} />
        </nav>
        <form action="/search" className={styles.searchForm}>
          <button type="submit" className={styles.search} data-search>
            <span>Search</span>
            <kbd data-search-key data-needs-script>
              /
            </kbd>
          </button>
        </form>
        <ThemeChoice className={styles.theme} />
      </div>
    </header>
  );
}
