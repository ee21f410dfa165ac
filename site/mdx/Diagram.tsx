/**
 * A diagram made from its source at build: an SVG whose colours are classes, so it follows the theme, with its
 * description beneath for those who cannot see it.
 */
import type { ReactElement } from 'react';
import type { DiagramProps } from '../layout/frame-props.ts';
import styles from './Diagram.module.css';

export function Diagram({ svg, title, description }: DiagramProps): ReactElement {
  return (
    <figure className={styles.diagram}>
      <div
        className={styles.sheet}
        data-scrolls
        tabIndex={0}
        role="group"
        aria-label={title}
        dangerouslySetInnerHTML={{ __html: svg }}
      />
      <figcaption>{description === '' ? title : description}</figcaption>
    </figure>
  );
}
