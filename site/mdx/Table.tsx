/**
 * A table in a container that scrolls sideways when it must, head and first column staying; the head sticks under the
 * bar when nothing scrolls. With `isStacked` each row is a list of named cells on phones, and nothing scrolls there.
 * Keyboard: the container takes the focus while it scrolls (page script), arrows move it.
 */
import { Children, cloneElement, isValidElement, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import styles from './Table.module.css';

interface TableProps extends ComponentProps<'table'> {
  readonly isStacked?: boolean;
}

export function Table({ isStacked = false, children, ...props }: TableProps): ReactElement {
  return (
    <div
      className={isStacked ? `${styles.scroll} ${styles.stacked}` : styles.scroll}
      data-scrolls
      tabIndex={0}
      role="group"
      aria-label="Table"
    >
      <table {...props}>{isStacked ? withColumnNames(children) : children}</table>
    </div>
  );
}

/** The head of a column. A corner without words heads nothing: it is a cell like any other. */
export function HeaderCell(props: ComponentProps<'th'>): ReactElement {
  return Children.count(props.children) === 0 ? <td {...props} /> : <th {...props} />;
}

type Part = ReactElement<{ readonly children?: ReactNode }>;

/** Gives every cell of the body the words that head its column, as `data-column`. */
function withColumnNames(children: ReactNode): ReactNode {
  const [head, ...bodies] = partsOf(children);
  if (head === undefined) return children;
  const names = partsOf(head)
    .flatMap((row) => partsOf(row))
    .map((cell) => Children.toArray(cell.props.children).join(''));
  return [
    head,
    ...bodies.map((body) =>
      mapParts(body, (row) => mapParts(row, (cell, at) => cloneElement(cell, { 'data-column': names[at] } as object))),
    ),
  ];
}

function partsOf(of: ReactNode): Part[] {
  const children = isValidElement<{ readonly children?: ReactNode }>(of) ? of.props.children : of;
  return Children.toArray(children).filter((child): child is Part => isValidElement(child));
}

function mapParts(parent: Part, change: (part: Part, at: number) => ReactNode): Part {
  return cloneElement(parent, {}, partsOf(parent).map(change));
}
