/**
 * A drawn figure with its facts as a table, one key away: the disclosure below it opens by Enter, and a link to one
 * of its rows opens it, too. Needs no JavaScript.
 */
import type { ReactElement } from 'react';
import { Table } from '../Table.tsx';
import styles from './Figure.module.css';
import type { FigureTable } from './figure-entry.ts';
import { figures } from './registry.ts';

export interface FigureProps {
  /** A name of the registry; the build fails on others. */
  readonly name: string;
}

export function Figure({ name }: FigureProps): ReactElement {
  const figure = figures[name];
  if (figure === undefined) throw new Error(`there is no figure ${name}; there are ${Object.keys(figures).join(', ')}`);
  const { Drawing, text, table, rowIds } = figure;
  return (
    <figure className={styles.figure} data-figure={name}>
      <Drawing />
      <figcaption className={styles.caption}>{text}</figcaption>
      <details className={styles.table}>
        <summary>As a table</summary>
        <Facts table={table} rowIds={rowIds} />
      </details>
    </figure>
  );
}

function Facts({ table, rowIds }: { readonly table: FigureTable; readonly rowIds: readonly string[] | undefined }) {
  return (
    <Table>
      <caption className={styles.title}>{table.caption}</caption>
      <thead>
        <tr>
          {table.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(([head, ...cells], at) => (
          <tr key={`${head} ${cells[0]}`} id={rowIds?.[at]}>
            <th scope="row">{head}</th>
            {cells.map((cell, column) => (
              <td key={table.columns[column + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
