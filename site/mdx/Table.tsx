/**
 * A table in a container that scrolls sideways when it must; the first column then stays, the head sticks under
 * the bar when nothing scrolls. Keyboard: the container takes the focus while it scrolls (page script), arrows move it.
 */
import { Children, type ComponentProps, type ReactElement } from 'react';
import styles from './Table.module.css';

export function Table(props: ComponentProps<'table'>): ReactElement {
  return (
    <div className={styles.scroll} data-scrolls tabIndex={0} role="group" aria-label="Table">
      <table {...props} />
    </div>
  );
}

/** The head of a column. A corner without words heads nothing: it is a cell like any other. */
export function HeaderCell(props: ComponentProps<'th'>): ReactElement {
  return Children.count(props.children) === 0 ? <td {...props} /> : <th {...props} />;
}
