/**
 * What the drawings of pages are made of, as text of SVG: slender arrowheads and lines of words with a rim of paper,
 * in the weights of the figures drawn by hand (site/mdx/figures). Colours are custom properties of Diagram.module.css.
 */
import { escapeText } from './escape-text.ts';

export const HEAD_LENGTH = 9;
const HEAD_WIDTH = 6.5;

/** Where a head points. */
export type Way = 'right' | 'left' | 'down' | 'up';

export function arrowhead(x: number, y: number, way: Way): string {
  const half = HEAD_WIDTH / 2;
  const back = way === 'right' || way === 'down' ? -HEAD_LENGTH : HEAD_LENGTH;
  const base =
    way === 'right' || way === 'left'
      ? `${round(x + back)} ${round(y - half)}V${round(y + half)}Z`
      : `${round(x - half)} ${round(y + back)}H${round(x + half)}Z`;
  return `<path d="M${round(x)} ${round(y)}L${base}" fill="var(--diagram-text-muted)" stroke="none"/>`;
}

export interface WordsOptions {
  readonly fontSize: number;
  readonly lineHeight: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** In italics and a weaker ink: what is said of things, not their names. */
  readonly isAside?: boolean;
}

/** Lines of text from `top` down, with a rim of paper, so that no stroke runs through them. */
export function words(lines: readonly string[], x: number, top: number, options: WordsOptions): string {
  const { fontSize, lineHeight, anchor = 'middle', isAside = false } = options;
  const spans = lines.map((line, at) => {
    const y = round(top + at * lineHeight + fontSize - 1);
    return `<tspan x="${round(x)}" y="${y}">${escapeText(line)}${at === lines.length - 1 ? '' : ' '}</tspan>`;
  });
  const colour = isAside ? 'var(--diagram-text-muted)' : 'var(--diagram-text)';
  const face = isAside ? ' font-style="italic"' : '';
  return `<text font-size="${fontSize}" text-anchor="${anchor}"${face} fill="${colour}" stroke="var(--diagram-bg)" stroke-width="5" stroke-linejoin="round" paint-order="stroke">${spans.join('')}</text>`;
}

/** To a tenth of a px. */
export function round(number: number): number {
  return Math.round(number * 10) / 10;
}
