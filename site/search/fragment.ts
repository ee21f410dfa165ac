/**
 * The few words to show of a section: the passage of its prose, or the line of its code, that holds most of
 * what was searched for, with the found words marked as they stand in the page.
 */
import type { Fragment, Span } from './answer.ts';
import type { SectionText } from './known-section.ts';
import type { Query } from './query.ts';
import { singular, wordsOf, type Word } from './tokenize.ts';

const FRAGMENT_LENGTH = 160;
/** Words before the first found one, to read on from. */
const LEAD_LENGTH = 40;

/** Code is harder to read in passing: it must hold a good part of a term more. */
const CODE_GAIN_MIN = 0.3;

/** Tokens to mark, with the weight of what they stand for. */
export type Marks = ReadonlyMap<string, { readonly weight: number; readonly term: number }>;

/** What to mark: every token that a term of the query may mean. */
export function marksOf(query: Query): Marks {
  const marks = new Map<string, { weight: number; term: number }>();
  for (const [term, { alternatives }] of query.terms.entries()) {
    for (const { tokens, weight } of alternatives) {
      for (const token of tokens) {
        const share = weight / tokens.length;
        if ((marks.get(token)?.weight ?? 0) < share) marks.set(token, { weight: share, term });
      }
    }
  }
  return marks;
}

/** The text in runs, found words apart. */
export function markedSpans(text: string, marks: Marks): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const word of wordsOf(text)) {
    const found = foundIn(word, marks);
    if (found === null) continue;
    if (found.start > at) spans.push({ text: text.slice(at, found.start), isMatch: false });
    spans.push({ text: text.slice(found.start, found.end), isMatch: true });
    at = found.end;
  }
  if (at < text.length) spans.push({ text: text.slice(at), isMatch: false });
  return spans;
}

/**
 * The passage to show below a heading. A line of code is shown when it holds more of what was searched for than the
 * prose and the heading do; the beginning of the prose when the heading says as much as any of it.
 */
export function fragmentOf(section: SectionText & { readonly heading: string }, marks: Marks): Fragment | null {
  const line = bestLine(section.code, marks);
  const passage = bestPassage(section.prose, marks);
  const inHeading = passage.text === '' ? 0 : weightOf(wordsOf(section.heading), marks);
  const isCode = line.weight > Math.max(passage.weight, inHeading) + CODE_GAIN_MIN;
  const prose = inHeading > passage.weight ? passageAt(section.prose, wordsOf(section.prose), 0) : passage.text;
  const shown = isCode ? line.text : prose;
  return shown === '' ? null : { kind: isCode ? 'code' : 'prose', spans: markedSpans(shown, marks) };
}

interface Passage {
  readonly text: string;
  readonly weight: number;
}

function bestLine(blocks: readonly string[], marks: Marks): Passage {
  let best: Passage = { text: '', weight: 0 };
  for (const block of blocks) {
    for (const line of block.split('\n')) {
      const weight = weightOf(wordsOf(line), marks);
      if (weight > best.weight) best = { text: cut(line.trim(), marks), weight };
    }
  }
  return best;
}

function cut(line: string, marks: Marks): string {
  return line.length <= FRAGMENT_LENGTH ? line : bestPassage(line, marks).text;
}

/** The window of the text with the most found words. */
function bestPassage(text: string, marks: Marks): Passage {
  const words = wordsOf(text);
  let best = { start: 0, weight: 0 };
  for (const [position, word] of words.entries()) {
    if (foundIn(word, marks) === null) continue;
    const start = word.start < LEAD_LENGTH ? 0 : beginningNear(words, position, word.start - LEAD_LENGTH);
    const end = start + FRAGMENT_LENGTH;
    const shown: Word[] = [];
    for (let at = position; at < words.length && words[at]!.end <= end; at += 1) shown.push(words[at]!);
    const weight = weightOf(shown, marks);
    if (weight > best.weight) best = { start, weight };
  }
  return { text: passageAt(text, words, best.start), weight: best.weight };
}

function beginningNear(words: readonly Word[], position: number, earliest: number): number {
  let at = position;
  while (at > 0 && words[at - 1]!.start >= earliest) at -= 1;
  return words[at]!.start;
}

function passageAt(text: string, words: readonly Word[], start: number): string {
  const limit = start + FRAGMENT_LENGTH;
  if (text.length <= limit) return (start > 0 ? '… ' : '') + text.slice(start).trim();
  const last = words.findLast((word) => word.end <= limit);
  const end = last === undefined || last.end <= start ? limit : last.end;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()} …`;
}

/** Found terms each once by their best word, and a little for each further word. */
function weightOf(words: readonly Word[], marks: Marks): number {
  const best = new Map<number, number>();
  let total = 0;
  for (const word of words) {
    for (const token of word.tokens) {
      const mark = marks.get(token.text) ?? marks.get(singular(token.text));
      if (mark === undefined) continue;
      best.set(mark.term, Math.max(best.get(mark.term) ?? 0, mark.weight));
      total += 0.01;
    }
  }
  for (const weight of best.values()) total += weight;
  return total;
}

/** The part of a word to mark: all of it when that was searched for, else its first to last found piece. */
function foundIn(word: Word, marks: Marks): { start: number; end: number } | null {
  const found = word.tokens.filter((token) => marks.has(token.text) || marks.has(singular(token.text)));
  if (found.length === 0) return null;
  return {
    start: word.start + Math.min(...found.map((token) => token.start)),
    end: word.start + Math.max(...found.map((token) => token.end)),
  };
}
