/**
 * The bar on top: the mark, the way to the menu on phones, search, links to places outside, theme.
 * Words instead of icons. Search and theme need JavaScript and are not shown without it.
 * Keyboard: Tab in reading order; ⌘K, Ctrl K or / open search from anywhere.
 */
import type { ReactElement } from 'react';
import type { Meta, PageTreeEntry } from '../engine/page.ts';
import type { SiteSettings } from '../engine/settings.ts';
import { Mark } from './Mark.tsx';
import { MENU_ID } from './Sidebar.tsx';
import styles from './TopBar.module.css';

export interface TopBarProps {
  readonly settings: SiteSettings;
  readonly tree: readonly PageTreeEntry[];
  /** The home page has its own search field, and its menu is a sheet on every width. */
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
          {topBarLinks(tree).map((link) => (
            <a
              key={link.href}
              href={link.href}
              title={link.title}
              {...(link.newWindow ? { target: '_blank', rel: 'noopener' } : {})}
            >
              {link.label}
            </a>
          ))}
        </nav>
        {isHome ? null : (
          <button type="button" className={styles.search} data-search data-needs-script>
            <span>Search</span>
            <kbd data-search-key>/</kbd>
          </button>
        )}
        <label className={styles.theme} data-needs-script>
          <span className="unseen">Theme</span>
          <select data-theme-choice defaultValue="system" autoComplete="off">
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </div>
    </header>
  );
}

type LinkEntry = Extract<Meta, { type: 'link' }>;

/** The links that the menus send to the top bar, wherever they stand in the tree. */
export function topBarLinks(tree: readonly PageTreeEntry[]): readonly LinkEntry[] {
  return tree.flatMap((entry) => {
    if (entry.type === 'folder') return topBarLinks(entry.children);
    return entry.type === 'link' && entry.topBar ? [entry] : [];
  });
}
