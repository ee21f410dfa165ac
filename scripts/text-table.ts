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
  return rows.map((row) => textRow(row, widths, isRight));
}

/** One row of a table that is told while it grows: columns of these widths, which a wider cell exceeds. */
export function textRow(
  cells: readonly string[],
  widths: readonly number[],
  isRight: (column: number) => boolean,
): string {
  const padded = cells.map((cell, at) => {
    const room = ' '.repeat(Math.max(0, (widths[at] ?? 0) - Bun.stringWidth(cell)));
    return isRight(at) ? room + cell : cell + room;
  });
  return padded.join('  ').trimEnd();
}
