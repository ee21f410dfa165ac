/**
 * Figures in Markdown: their sentence and their table, where the twin has a mark for them.
 */
import { figureMark } from '../mdx/twin.ts';

/** The part of a figure that needs no eyes. */
export interface FigureText {
  readonly title: string;
  readonly text: string;
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** A twin with the words of its figures. */
export function withFigures(markdown: string, figures: Readonly<Record<string, FigureText>>): string {
  return Object.entries(figures).reduce(
    (text, [name, figure]) => text.replaceAll(figureMark(name), () => figureMarkdown(figure)),
    markdown,
  );
}

function figureMarkdown({ title, text, table }: FigureText): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rows = [row(table.columns), row(table.columns.map(() => '---')), ...table.rows.map(row)];
  return `**${title}.** ${text}\n\n${rows.join('\n')}`;
}
