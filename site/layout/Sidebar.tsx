/**
 * The menu: the pages of the area that the page is in, or all where it is in none, in the order of the menu files. A popover that the bar's button opens as a
 * sheet on phones (Escape and a tap outside close it, without JavaScript) and a column beside the text on
 * wide screens. The sheet also holds what the bar has no room for. Folders are details; those on the way to the page are open.
 */
import type { ReactElement } from 'react';
import type { Folder, PageTreeEntry } from '../engine/page.ts';
import { areaOf, areasOf } from './areas.ts';
import { AreaTabs } from './AreaTabs.tsx';
import { OutsideLink, OutsideLinks } from './OutsideLinks.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import styles from './Sidebar.module.css';

/** The id of the popover, for the button that opens it. */
export const MENU_ID = 'menu';

export interface SidebarProps {
  readonly tree: readonly PageTreeEntry[];
  readonly route: string;
  /** Only ever a sheet, as on the home page. */
  readonly asSheet: boolean;
}

export function Sidebar({ tree, route, asSheet }: SidebarProps): ReactElement {
  const area = areaOf(areasOf(tree), route);
  return (
    <nav
      id={MENU_ID}
      className={asSheet ? `${styles.menu} ${styles.sheet}` : styles.menu}
      aria-label="Pages"
      popover="auto"
      data-menu
    >
      <div className={styles.sheetHead}>
        <span>Pages</span>
        <button type="button" popoverTarget={MENU_ID} popoverTargetAction="hide">
          Close
        </button>
      </div>
      <AreaTabs tree={tree} route={route} inSheet />
      {area === null ? (
        <Entries entries={tree} route={route} />
      ) : (
        <>
          <p className={styles.heading}>{area.label}</p>
          {area.folder.route === null ? null : (
            <ul className={styles.overview}>
              <li>
                <PageLink label="Index" of={area.label} to={area.folder.route} route={route} />
              </li>
            </ul>
          )}
          <Entries entries={area.folder.children} route={route} />
        </>
      )}
      <div className={styles.sheetFoot}>
        <OutsideLinks tree={tree} />
        <ThemeChoice className={undefined} />
      </div>
    </nav>
  );
}

function Entries({ entries, route }: { entries: readonly PageTreeEntry[]; route: string }): ReactElement {
  return (
    <ul>
      {entries.map((entry, index) => (
        <Entry key={index} entry={entry} route={route} />
      ))}
    </ul>
  );
}

function Entry({ entry, route }: { entry: PageTreeEntry; route: string }): ReactElement | null {
  switch (entry.type) {
    case 'page':
      return entry.hidden ? null : (
        <li>
          <PageLink label={entry.label} to={entry.route} route={route} />
        </li>
      );
    case 'folder':
      return entry.flat ? (
        <>
          {entry.children.map((child, index) => (
            <Entry key={index} entry={child} route={route} />
          ))}
        </>
      ) : (
        <FolderEntry folder={entry} route={route} />
      );
    case 'link':
      return entry.topBar ? null : (
        <li>
          <OutsideLink link={entry} className={styles.outside} />
        </li>
      );
    case 'separator':
      return entry.label === null ? (
        <li className={styles.rule} aria-hidden="true" />
      ) : (
        <li className={styles.heading}>{entry.label}</li>
      );
  }
}

function FolderEntry({ folder, route }: { folder: Folder; route: string }): ReactElement {
  const holdsPage = folder.route === route || route.startsWith(`${folder.path}/`);
  return (
    <li>
      <details open={holdsPage}>
        <summary data-current={holdsPage || undefined}>{folder.label}</summary>
        {folder.route === null ? null : (
          <ul className={styles.overview}>
            <li>
              <PageLink label="Index" of={folder.label} to={folder.route} route={route} />
            </li>
          </ul>
        )}
        <Entries entries={folder.children} route={route} />
      </details>
    </li>
  );
}

interface PageLinkProps {
  readonly label: string;
  /** What the page is the list of, said to those who hear the label out of its place. */
  readonly of?: string;
  readonly to: string;
  readonly route: string;
}

function PageLink({ label, of, to, route }: PageLinkProps): ReactElement {
  return (
    <a
      href={to}
      {...(of === undefined ? {} : { 'aria-label': `${label} of ${of}` })}
      {...(to === route ? { 'aria-current': 'page' as const } : {})}
    >
      {label}
    </a>
  );
}
