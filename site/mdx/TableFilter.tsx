/**
 * A long table that readers narrow down by typing. The table is whole in the document; the field and the copy
 * buttons come with the page script (site/page/table-filter.ts). Keyboard: type, then Tab to the buttons.
 */
import type { ReactElement, ReactNode } from 'react';

export interface TableFilterProps {
  /** What the field is for, e.g. “Filter tokens”. */
  readonly label: string;
  readonly children: ReactNode;
}

export function TableFilter({ label, children }: TableFilterProps): ReactElement {
  return <div data-table-filter={label}>{children}</div>;
}
