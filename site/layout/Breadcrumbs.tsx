/** Where the page stands in the menu, from the top. Folders without a page of their own are words, not links. */
import type { ReactElement } from 'react';
import type { TrailStep } from './frame-props.ts';
import styles from './Breadcrumbs.module.css';

export function Breadcrumbs({ trail }: { trail: readonly TrailStep[] }): ReactElement | null {
  if (trail.length === 0) return null;
  return (
    <nav className={styles.trail} aria-label="Breadcrumbs">
      <ol>
        {trail.map((step, index) => (
          <li key={index}>{step.route === null ? step.label : <a href={step.route}>{step.label}</a>}</li>
        ))}
      </ol>
    </nav>
  );
}
