/**
 * Lines of the terminal interface as spans of styled text: measured and cut before any escape
 * sequence exists. Columns are those of a terminal: names may hold characters two columns wide.
 */

/** accent: what leads or is selected. faint: what is absent or secondary. */
export type Style = 'plain' | 'strong' | 'accent' | 'faint';

/** A piece of a line in one style. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line, left to right. */
export type Line = readonly Span[];

/** Select Graphic Rendition parameters; the palette is the terminal's own, so that it fits light and dark. */
const CODES: Readonly<Record<Style, string>> = { plain: '', strong: '1', accent: '1;31', faint: '2' };

/** A span; plain unless told otherwise. */
export function span(text: string, style: Style = 'plain'): Span {
  return { text, style };
}

/** Columns a line takes. */
export function widthOf(line: Line): number {
  return line.reduce((sum, piece) => sum + Bun.stringWidth(piece.text), 0);
}

/** Cuts a line to a width; the last column of a cut line is an ellipsis. */
export function cutLine(line: Line, width: number): Line {
  if (widthOf(line) <= width) return line;
  const cut: Span[] = [];
  let left = Math.max(0, width - 1);
  for (const piece of line) {
    const text = Bun.sliceAnsi(piece.text, 0, left);
    left -= Bun.stringWidth(text);
    cut.push({ ...piece, text });
  }
  return width > 0 ? [...cut, span('…', 'faint')] : [];
}

/** A cell of a table in exactly so many columns; the last of a cut one is an ellipsis. */
export function fitCell(text: string, width: number, isRight: boolean): string {
  const cut = Bun.sliceAnsi(text, 0, width, '…');
  const room = ' '.repeat(width - Bun.stringWidth(cut));
  return isRight ? room + cut : cut + room;
}

/** The line as characters; without colour, styles are left out. */
export function paintLine(line: Line, hasColour: boolean): string {
  return line
    .map(({ text, style }) => {
      const code = CODES[style];
      return hasColour && code !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
    })
    .join('');
}
