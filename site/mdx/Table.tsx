/**
 * A table in a container that scrolls sideways when it must; the first column then stays, the head sticks under
 * the bar when nothing scrolls. Keyboard: the container takes the focus while it scrolls (page script), arrows move it.
 */
import type { ComponentProps, ReactElement } from 'react';
import styles from './Table.module.css';

export function Table(props: ComponentProps<'table'>): ReactElement {
  return (
    <div className={styles.scroll} data-scrolls tabIndex={0} role="group" aria-label="Table">
      <table {...props} />
    </div>
  );
}
