/**
 * Tables of styled cells in a width that may be too narrow for all of them: which columns are kept, and the lines. States
 * are words; style only repeats them.
 */
import { fitCell, span, type Line, type Span } from './text-line.ts';

const GAP = '  ';
/** Stands where nothing is known. */
export const UNKNOWN = '·';

export type Cell = Span;

export interface Column {
  readonly title: string;
  /** Of its cells, in columns of a terminal: what is longer is cut. */
  readonly width: number;
  /** Its cells end, and do not begin, below each other. */
  readonly isRight?: boolean;
  /** Columns with the highest number are dropped first; 0 never is. */
  readonly rank: number;
}

/** A value as it is, or that it is not known. */
export function plainCell(value: string | number | null): Cell {
  return value === null || value === '' ? { text: UNKNOWN, style: 'faint' } : { text: String(value), style: 'plain' };
}

/** Columns of a terminal that these take beside each other. */
export function widthOfAll(columns: readonly Pick<Column, 'width'>[]): number {
  return columns.reduce((sum, { width }) => sum + GAP.length + width, -GAP.length);
}

/** Those that fit into `width`, in their order; where one does not, a narrower one of a higher rank may. */
export function fittingColumns<T extends Column>(columns: readonly T[], width: number): T[] {
  const kept = new Set<T>();
  for (const column of columns.toSorted((a, b) => a.rank - b.rank))
    if (column.rank === 0 || widthOfAll([...kept, column]) <= width) kept.add(column);
  return columns.filter((column) => kept.has(column));
}

/** The row of titles, then one for each list of cells. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[]): Line[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, style: 'faint' }));
  return [titles, ...rows].map((cells) =>
    columns.flatMap(({ width, isRight = false }, at) => {
      const { text, style } = cells[at] as Cell;
      return [span(at > 0 ? GAP : ''), span(fitCell(text, width, isRight), style)];
    }),
  );
}
