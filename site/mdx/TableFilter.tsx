/**
 * A long table that readers narrow down by typing. Table and field are in the document, so that nothing moves when the
 * page script (site/page/table-filter.ts) makes the field work and adds copy buttons; without a script there is no
 * field to see. Keyboard: type, then Tab to the buttons.
 */
import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { Table } from './Table.tsx';

export interface TableFilterProps {
  /** What the field is for, e.g. “Filter tokens”. */
  readonly label: string;
  readonly children: ReactNode;
}

export function TableFilter({ label, children }: TableFilterProps): ReactElement {
  return (
    <div data-table-filter>
      <div data-needs-script>
        <label className="table-filter">
          {label}
          <input className="control" type="search" autoComplete="off" spellCheck={false} />
        </label>
        <p className="table-filter-count" role="status" />
      </div>
      {Children.map(children, (child) =>
        isValidElement<{ isStacked?: boolean }>(child) && child.type === Table
          ? cloneElement(child, { isStacked: true })
          : child,
      )}
    </div>
  );
}
