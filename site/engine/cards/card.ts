/**
 * The picture that shows a page where people share it: its title on paper, under the staff. The words decide
 * the file's name, so that a card is drawn once and kept for ever.
 */
import { createHash } from 'node:crypto';

export interface Card {
  readonly title: string;
  /** Where the page stands in the menu, or what the site is. */
  readonly kicker: string;
  readonly siteName: string;
}

const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

/** Raised whenever the drawing changes: names must change with the pictures. */
const EDITION = 1;
const MARGIN = 88;
const TEXT_WIDTH = CARD_WIDTH - 2 * MARGIN;
const LINES_MAX = 3;
const SIZES = [104, 88, 74, 62, 52];
const STAFF_TOP = 96;
const STAFF_GAP = 14;
const PAPER = '#faf7f2';
const INK = '#1f1a17';
const INK_2 = '#5d5650';
const RULE = '#cfc8be';
const ACCENT = '#e5001c';

/** Path of a card below the site. */
export function cardPath(card: Card): string {
  const words = JSON.stringify([EDITION, card.title, card.kicker, card.siteName]);
  return `/cards/${createHash('sha256').update(words).digest('hex').slice(0, 12)}.png`;
}

/** `widthOf` measures a line at 100 px. */
export function cardSvg(card: Card, widthOf: (line: string) => number): string {
  const { size, lines } = setTitle(card.title, widthOf);
  const leading = Math.round(size * 1.14);
  const first = 340 - Math.round(((lines.length - 1) * leading) / 2) + Math.round(size * 0.32);
  const staff = [0, 1, 2, 3, 4].map((line) => {
    const y = STAFF_TOP + line * STAFF_GAP;
    return `<path d="M0 ${y}H${CARD_WIDTH}" stroke="${RULE}" stroke-width="1.5"/>`;
  });
  const title = lines.map((line, index) => text(line, { y: first + index * leading, size, fill: INK }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}">`,
    `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${PAPER}"/>`,
    ...staff,
    `<ellipse cx="${MARGIN + 12}" cy="${STAFF_TOP + 2.5 * STAFF_GAP}" rx="11" ry="8" transform="rotate(-22 ${MARGIN + 12} ${STAFF_TOP + 2.5 * STAFF_GAP})" fill="${ACCENT}"/>`,
    ...title,
    text(card.siteName, { y: 560, size: 30, fill: INK }),
    text(card.kicker, { y: 560, size: 30, fill: INK_2, end: true }),
    '</svg>',
  ].join('');
}

interface Setting {
  readonly size: number;
  readonly lines: readonly string[];
}

/** The largest size in which the title fits; at the smallest it may be cut. */
function setTitle(title: string, widthOf: (line: string) => number): Setting {
  const settings = SIZES.map((size) => ({
    size,
    lines: wrap(title, (line) => (widthOf(line) * size) / 100 <= TEXT_WIDTH),
  }));
  const fitting = settings.find(({ lines }) => lines.length <= LINES_MAX);
  const last = settings.at(-1) ?? { size: 52, lines: [title] };
  return fitting ?? { size: last.size, lines: last.lines.slice(0, LINES_MAX) };
}

function wrap(title: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

interface TextPlace {
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly end?: boolean;
}

function text(words: string, { y, size, fill, end = false }: TextPlace): string {
  const x = end ? CARD_WIDTH - MARGIN : MARGIN;
  const anchor = end ? ' text-anchor="end"' : '';
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${anchor}>${escaped}</text>`;
}
