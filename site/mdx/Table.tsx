/**
 * A table in a container that scrolls sideways when it must, head and first column staying; the head sticks under the
 * bar when nothing scrolls. With `isStacked` each row is a list of named cells on phones, and nothing scrolls there; so
 * it is with a table of sentences, of which a phone would show one column and hide the others.
 * Keyboard: the container takes the focus while it scrolls (page script), arrows move it.
 */
import { Children, cloneElement, isValidElement, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import styles from './Table.module.css';

interface TableProps extends ComponentProps<'table'> {
  readonly isStacked?: boolean;
}

/** Longer rows than this, by the longest cell of each column, do not fit on a phone, in characters. */
const PHONE_ROW_LENGTH_MAX = 64;
/** Two columns fit side by side, whatever is in them. */
const STACKED_COLUMNS_MIN = 3;

export function Table({ isStacked: isAsked, children, ...props }: TableProps): ReactElement {
  const widths = columnWidths(children);
  const isLong = widths.length >= STACKED_COLUMNS_MIN && sum(widths) > PHONE_ROW_LENGTH_MAX;
  const isStacked = isAsked ?? isLong;
  const look = isAsked === undefined ? styles.sentences : styles.facts;
  return (
    <div
      className={isStacked ? `${styles.scroll} ${styles.stacked} ${look}` : styles.scroll}
      data-scrolls
      data-stacked={isStacked ? '' : undefined}
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

/** A part of a table: head, body, row or cell. */
export type TablePart = ReactElement<{ readonly children?: ReactNode }>;

/** Gives every cell of the body the words that head its column, as `data-column`. */
function withColumnNames(children: ReactNode): ReactNode {
  const [head, ...bodies] = partsOf(children);
  if (head === undefined) return children;
  const names = partsOf(head)
    .flatMap((row) => partsOf(row))
    .map((cell) => textOf(cell.props.children));
  return [
    head,
    ...bodies.map((body) =>
      mapParts(body, (row) => mapParts(row, (cell, at) => cloneElement(cell, { 'data-column': names[at] } as object))),
    ),
  ];
}

/** Characters of the longest cell of each column; none of a table that is not head and body. */
function columnWidths(children: ReactNode): number[] {
  const widths: number[] = [];
  for (const row of partsOf(children).flatMap((part) => partsOf(part))) {
    for (const [at, cell] of partsOf(row).entries()) {
      widths[at] = Math.max(widths[at] ?? 0, textOf(cell.props.children).length);
    }
  }
  return widths;
}

/** All words below it. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The elements directly below it, without the line feeds between them. */
export function partsOf(of: ReactNode): TablePart[] {
  const children = isValidElement<{ readonly children?: ReactNode }>(of) ? of.props.children : of;
  return Children.toArray(children).filter((child): child is TablePart => isValidElement(child));
}

function mapParts(parent: TablePart, change: (part: TablePart, at: number) => ReactNode): TablePart {
  return cloneElement(parent, {}, partsOf(parent).map(change));
}
