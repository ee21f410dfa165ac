/** Tables of text for a terminal. */

/**
 * Rows in columns as wide as their widest cell; cells of the columns that `isRight` names end there, others begin
 * there. A row may be shorter than others.
 */
export function textTable(rows: readonly (readonly string[])[], isRight: (column: number) => boolean): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => Bun.stringWidth(row[at] ?? ''))),
  );
  const padded = (cell: string, at: number): string => {
    const room = ' '.repeat((widths[at] ?? 0) - Bun.stringWidth(cell));
    return isRight(at) ? room + cell : cell + room;
  };
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
