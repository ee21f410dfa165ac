/**
 * Engraves a sequence: names in boxes, a hairline down from each, messages as strokes with slender heads, in the line
 * weights of the drawn figures (site/mdx/figures). It never gets wider than the text column: what is long is set in
 * several lines. Beside the drawing the same as a list, which takes its place where the column is narrow.
 */
import { escapeText } from '../escape-text.ts';
import { HEAD_LENGTH, arrowhead, round, words as engrave, type WordsOptions } from '../strokes.ts';
import type { Message, Note, Sequence } from './read-sequence.ts';

const WIDTH_MAX = 760;
const MARGIN = 8;
const COLUMN_MIN = 92;
const COLUMN_MAX = 232;
/** Of the text face at its size, on average. */
const LETTER_WIDTH = 6.7;
/** Names are often capitals and identifiers, which are wider. */
const NAME_LETTER_WIDTH = 7.4;
const NAME_WIDTH = 100;
const COLUMN_GAP = 14;
const FONT_SIZE = 14;
const LINE_HEIGHT = 17;
const HEAD_PADDING = 9;
const GAP = 18;
const LOOP_WIDTH = 34;

export function drawSequence(sequence: Sequence): { readonly svg: string; readonly list: string } {
  const centres = centresOf(sequence);
  const width = round((centres.at(-1) ?? 0) + halfOf(sequence.participants.at(-1) ?? '') + MARGIN);
  const heads = sequence.participants.map(nameLines);
  const headHeight = Math.max(...heads.map((lines) => lines.length)) * LINE_HEIGHT + 2 * HEAD_PADDING;
  let y = headHeight + GAP;
  const drawn = sequence.events.map((event) => {
    const { svg, height } = event.kind === 'note' ? note(event, centres, y, width) : message(event, centres, y, width);
    y += height + GAP;
    return `<g>${svg}</g>`;
  });
  const lines = centres.map(
    (x) => `<path d="M${x} ${headHeight}V${y}" fill="none" stroke="var(--diagram-node-stroke)" stroke-width="1"/>`,
  );
  const names = heads.map((head, at) =>
    box(head, centres[at] ?? 0, headHeight, halfOf(sequence.participants[at] ?? '')),
  );
  const end = `<path d="M${MARGIN} ${y}H${width - MARGIN}M${MARGIN} ${y + 4}H${width - MARGIN}" fill="none" stroke="var(--diagram-node-stroke)" stroke-width="1"/>`;
  const height = y + 6;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${lines.join('')}${end}${names.join('')}${drawn.join('')}</svg>`;
  return { svg, list: listOf(sequence) };
}

/** Centres of the columns: as far apart as their words want, together no wider than the column of text. */
function centresOf({ participants, events }: Sequence): number[] {
  const halves = participants.map(halfOf);
  const least = halves.slice(1).map((half, at) => half + (halves[at] ?? 0) + COLUMN_GAP);
  const more = least.map((gap, at) => {
    const wanted = events
      .filter(({ from, to }) => Math.min(from, to) <= at && Math.max(from, to) > at)
      .map(({ from, to, text }) => (text.length * LETTER_WIDTH + 40) / Math.abs(to - from));
    return Math.max(0, Math.min(COLUMN_MAX, Math.max(COLUMN_MIN, ...wanted)) - gap);
  });
  const free = WIDTH_MAX - 2 * MARGIN - (halves[0] ?? 0) - (halves.at(-1) ?? 0) - sum(least);
  const share = Math.max(0, Math.min(1, free / Math.max(1, sum(more))));
  const gaps = least.map((gap, at) => gap + share * (more[at] ?? 0));
  let x = MARGIN + (halves[0] ?? 0);
  return [x, ...evened(gaps, free + sum(least)).map((gap) => (x += gap))].map(round);
}

/** Equal distances where there is room for them. */
function evened(gaps: readonly number[], room: number): readonly number[] {
  const widest = Math.max(0, ...gaps);
  return widest * gaps.length <= room ? gaps.map(() => widest) : gaps;
}

/** A name in the lines that stand in its box. */
function nameLines(name: string): string[] {
  return wrapped(name, NAME_WIDTH);
}

/** Half the width of a participant's box. */
function halfOf(name: string): number {
  const longest = Math.max(...nameLines(name).map((line) => line.length));
  return Math.max(32, (longest * NAME_LETTER_WIDTH) / 2 + 8);
}

function box(lines: readonly string[], x: number, height: number, half: number): string {
  const top = (height - lines.length * LINE_HEIGHT) / 2;
  return `<rect x="${round(x - half)}" y="1" width="${round(2 * half)}" height="${height - 2}" fill="var(--diagram-bg)" stroke="var(--diagram-text)" stroke-width="2"/>${words(lines, x, top)}`;
}

function message(
  { from, to, text, isAnswer, isLost }: Message,
  centres: readonly number[],
  y: number,
  width: number,
): Drawn {
  const [start, end] = [centres[from] ?? 0, centres[to] ?? 0];
  if (from === to) return loop(text, start, y, width);
  const lines = wrapped(text, Math.abs(end - start) - 16);
  const line = y + lines.length * LINE_HEIGHT + 4;
  const way = end > start ? 1 : -1;
  const neck = end - way * HEAD_LENGTH;
  const dashes = isAnswer ? ' stroke-dasharray="5 4"' : '';
  const stroke = `<path d="M${start} ${line}H${neck}" fill="none" stroke="var(--diagram-text-muted)" stroke-width="1.5"${dashes}/>`;
  return {
    svg:
      words(lines, (start + end) / 2, y) +
      stroke +
      (isLost ? cross(neck, line) : arrowhead(end, line, way > 0 ? 'right' : 'left')),
    height: line - y,
  };
}

/** Where a message ends that does not arrive. */
function cross(x: number, y: number): string {
  const half = HEAD_LENGTH / 2;
  const strokes = `M${round(x - half)} ${y - half}l${HEAD_LENGTH} ${HEAD_LENGTH}m0 ${-HEAD_LENGTH}l${-HEAD_LENGTH} ${HEAD_LENGTH}`;
  return `<path d="${strokes}" fill="none" stroke="var(--diagram-text)" stroke-width="1.5"/>`;
}

/** A message to itself: out to the right and back, its words beside it. */
function loop(text: string, x: number, y: number, width: number): Drawn {
  const beside = width - MARGIN - x - LOOP_WIDTH - 8;
  const isLeft = beside < COLUMN_MIN;
  const way = isLeft ? -1 : 1;
  const lines = wrapped(text, Math.min(COLUMN_MAX, isLeft ? x - LOOP_WIDTH - MARGIN : beside));
  const height = Math.max(2 * LINE_HEIGHT, lines.length * LINE_HEIGHT);
  const out = x + way * LOOP_WIDTH;
  const path = `<path d="M${x} ${y + 6}H${out}V${y + height - 2}H${x + way * HEAD_LENGTH}" fill="none" stroke="var(--diagram-text-muted)" stroke-width="1.5"/>`;
  const anchor = isLeft ? 'end' : 'start';
  const beginning = y + (height - lines.length * LINE_HEIGHT) / 2;
  return {
    svg:
      path +
      arrowhead(x, y + height - 2, way > 0 ? 'left' : 'right') +
      words(lines, out + way * 7, beginning, { anchor }),
    height,
  };
}

/** In italics between two hairlines, over those it is about. */
function note({ from, to, text }: Note, centres: readonly number[], y: number, width: number): Drawn {
  const middle = ((centres[from] ?? 0) + (centres[to] ?? 0)) / 2;
  const room = Math.max(Math.abs((centres[to] ?? 0) - (centres[from] ?? 0)) + COLUMN_MIN, 190);
  const lines = wrapped(text, Math.min(room - 12, width - 2 * MARGIN - 20));
  const height = lines.length * LINE_HEIGHT + 10;
  const half = Math.max(...lines.map((line) => line.length)) * (LETTER_WIDTH / 2) + 10;
  const left = Math.min(Math.max(MARGIN, middle - half), width - MARGIN - 2 * half);
  const back = `<rect x="${round(left)}" y="${y}" width="${round(2 * half)}" height="${height}" fill="var(--diagram-bg)" stroke="none"/>`;
  const rules = `<path d="M${round(left)} ${y}h${round(2 * half)}M${round(left)} ${y + height}h${round(2 * half)}" fill="none" stroke="var(--diagram-node-stroke)" stroke-width="1"/>`;
  return { svg: back + rules + words(lines, left + half, y + 4, { isAside: true }), height };
}

interface Drawn {
  readonly svg: string;
  readonly height: number;
}

/** Words of the drawing's size. */
function words(lines: readonly string[], x: number, top: number, options: Partial<WordsOptions> = {}): string {
  return engrave(lines, x, top, { fontSize: FONT_SIZE, lineHeight: LINE_HEIGHT, ...options });
}

/** Broken between words into lines of that width. */
function wrapped(text: string, width: number): string[] {
  const lettersMax = Math.max(8, Math.floor(width / LETTER_WIDTH));
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lettersMax) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function listOf({ participants, events }: Sequence): string {
  const name = (at: number): string => `<b>${escapeText(participants[at] ?? '')}</b>`;
  const items = events.map((event) => {
    if (event.kind === 'note') return `<li><i>${escapeText(event.text)}</i></li>`;
    const way = event.from === event.to ? name(event.from) : `${name(event.from)} to ${name(event.to)}`;
    return `<li>${way}: ${escapeText(event.text)}</li>`;
  });
  return `<ol>${items.join('')}</ol>`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
