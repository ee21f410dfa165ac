/**
 * The areas as a row of words below the bar, that of the page marked; on phones they head the sheet of pages instead.
 * Keyboard: links, in their order.
 */
import type { ReactElement } from 'react';
import { areaOf, areasOf } from './areas.ts';
import type { PageTreeEntry } from '../engine/page.ts';
import styles from './AreaTabs.module.css';

export interface AreaTabsProps {
  readonly tree: readonly PageTreeEntry[];
  readonly route: string;
  /** In the sheet of pages. */
  readonly inSheet?: boolean;
}

export function AreaTabs({ tree, route, inSheet = false }: AreaTabsProps): ReactElement {
  const areas = areasOf(tree);
  const current = areaOf(areas, route);
  const list = (
    <ul>
      {areas.map((area) => (
        <li key={area.path}>
          <a href={area.first} {...(area === current ? { 'aria-current': 'true' as const } : {})}>
            {area.label}
          </a>
        </li>
      ))}
    </ul>
  );
  if (inSheet) return <div className={styles.sheet}>{list}</div>;
  return (
    <nav className={styles.tabs} aria-label="Areas" data-areas>
      {list}
    </nav>
  );
}
