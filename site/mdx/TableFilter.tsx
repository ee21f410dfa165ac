/**
 * A long table that readers narrow down by typing. Table and field are in the document, so that nothing moves when the
 * page script (site/page/table-filter.ts) makes the field work and adds copy buttons; without a script there is no
 * field to see. With `fold` the rows that share their first cell are one group below it, shut until it is opened;
 * without a script, and on paper, all are open. Keyboard: type, then Tab to the groups and buttons.
 */
import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { partsOf, Table, textOf, type TablePart } from './Table.tsx';

export interface TableFilterProps {
  /** What the field is for, e.g. “Filter tokens”. */
  readonly label: string;
  readonly fold?: boolean;
  readonly children: ReactNode;
}

export function TableFilter({ label, fold = false, children }: TableFilterProps): ReactElement {
  return (
    <div data-table-filter>
      <div data-needs-script>
        <label className="table-filter">
          {label}
          <input className="control" type="search" autoComplete="off" spellCheck={false} />
        </label>
        <p className="table-filter-count" role="status" />
      </div>
      {Children.map(children, (child) => {
        if (!isValidElement<{ isStacked?: boolean; children?: ReactNode }>(child) || child.type !== Table) return child;
        return cloneElement(child, { isStacked: true }, fold ? folded(child.props.children) : child.props.children);
      })}
    </div>
  );
}

/** A body for each text of the first column, which becomes the body's first row. */
function folded(children: ReactNode): ReactNode {
  const [head, body] = partsOf(children);
  const rows = body === undefined ? [] : partsOf(body);
  const groups = Map.groupBy(rows, (row) => textOf(partsOf(row)[0]));
  const columns = partsOf(partsOf(head)[0]).length - 1;
  return [
    <thead key="head">{partsOf(head).map(withoutFirstCell)}</thead>,
    ...[...groups].map(([name, of]) => (
      <tbody key={name} data-fold={name}>
        <tr>
          <th scope="rowgroup" colSpan={columns}>
            {name}
            <button type="button" aria-expanded="false" aria-label={`${name}, ${of.length} rows`} data-needs-script>
              {of.length}
            </button>
          </th>
        </tr>
        {of.map(withoutFirstCell)}
      </tbody>
    )),
  ];
}

function withoutFirstCell(row: TablePart): ReactNode {
  return cloneElement(row, {}, partsOf(row).slice(1));
}
