/**
 * A diagram made from its source at build: an SVG whose colours are custom properties, so it follows the theme, with
 * its description beneath for those who cannot see it. The button opens it larger (site/page/enlarge.ts); a
 * sequence can be gone through one message at a time (site/page/step-through.ts).
 */
import type { ReactElement } from 'react';
import type { DiagramProps } from '../layout/frame-props.ts';
import styles from './Diagram.module.css';

export function Diagram({ svg, title, description }: DiagramProps): ReactElement {
  return (
    <figure className={styles.diagram} data-diagram={title}>
      <div className={styles.sheet} dangerouslySetInnerHTML={{ __html: svg }} />
      <figcaption>
        {description === '' ? title : description}{' '}
        <button type="button" className={styles.enlarge} data-enlarge data-needs-script aria-haspopup="dialog">
          Enlarge
        </button>
        {svg.includes('</svg><ol>') ? (
          <button type="button" className={styles.enlarge} data-step-through data-needs-script>
            Step through
          </button>
        ) : null}
      </figcaption>
    </figure>
  );
}
