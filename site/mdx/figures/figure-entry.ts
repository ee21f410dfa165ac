/** What a figure is: a drawing, a sentence for those who cannot see it, and the same facts as a table. */
import type { ComponentType } from 'react';

export interface FigureTable {
  readonly caption: string;
  readonly columns: readonly string[];
  /** One cell per column. */
  readonly rows: readonly (readonly string[])[];
}

export interface FigureEntry {
  readonly title: string;
  /** One or two sentences: what the drawing shows. */
  readonly text: string;
  readonly table: FigureTable;
  /** Names of rows, as anchors that the drawing links to; one per row where there are any. */
  readonly rowIds?: readonly string[];
  readonly Drawing: ComponentType;
}
