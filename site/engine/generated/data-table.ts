/**
 * Tables from content/data/NAME-table.yaml, whose cells are Markdown. Long ones can be narrowed down by typing.
 */
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { table } from './mdx-text.ts';

interface TableData extends Dated {
  readonly columns: readonly string[];
  /** What the field says into which readers type; absent for short tables. */
  readonly filter?: string;
  readonly groups: readonly {
    readonly id: string;
    readonly rows: readonly (readonly (string | number)[])[];
  }[];
}

/** Attribute `of`: the table. Attribute `group`: only its rows of that id; all of them when left out. */
export const dataTable: Generator = ({ of = '', group }) => {
  if (!/^[a-z][a-z0-9-]*$/.test(of)) throw new Error('data/table needs `of`, the name before -table.yaml');
  const data = readContentData<TableData>(`${of}-table.yaml`);
  const rows = data.groups.filter(({ id }) => group === undefined || id === group).flatMap((one) => one.rows);
  if (rows.length === 0) throw new Error(`${of}-table.yaml has no rows of the group ${group ?? ''}`);
  const odd = rows.find((row) => row.length !== data.columns.length);
  if (odd !== undefined) throw new Error(`${of}-table.yaml: the row of ${odd[0]} has ${odd.length} cells`);
  const text = table(
    data.columns,
    rows.map((row) => row.map(String)),
  );
  const filtered =
    data.filter === undefined ? text : `<TableFilter label="${data.filter}">\n\n${text}\n\n</TableFilter>`;
  return `${filtered}\n\n${sourceNote(data)}`;
};
