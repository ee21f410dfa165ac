/** Where the page stands in the menu, from the top. Folders without a page of their own are words, not links. */
import type { ReactElement } from 'react';
import { nameOf } from './areas.ts';
import type { TrailStep } from './frame-props.ts';
import styles from './Breadcrumbs.module.css';

export function Breadcrumbs({ trail }: { trail: readonly TrailStep[] }): ReactElement | null {
  if (trail.length === 0) return null;
  return (
    <nav className={styles.trail} aria-label="Breadcrumbs">
      <ol>
        {trail.map(({ label, route }, index) => (
          <li key={index}>{route === null ? nameOf(label) : <a href={route}>{nameOf(label)}</a>}</li>
        ))}
      </ol>
    </nav>
  );
}
