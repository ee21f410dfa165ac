/**
 * Cuts a page at its headings of the second level, so that an edit compiles the part it is in and no other.
 * What could mean something across parts (definitions of links, footnotes) keeps a page whole; elements that
 * are open across a cut are noticed when a part does not parse.
 */
import { linesOutsideFences } from './fences.ts';

export interface PagePart {
  readonly text: string;
  /** Line of the page on which the part begins, from 1. */
  readonly firstLine: number;
}

const DEFINITION = /^\s*\[[^\]]+\]:/m;

export function splitPage(text: string): PagePart[] {
  if (DEFINITION.test(text)) return [{ text, firstLine: 1 }];
  const lines = text.split('\n');
  const outside = linesOutsideFences(lines);
  const cuts = lines.flatMap((line, index) =>
    index > 0 && outside[index] === true && line.startsWith('## ') ? [index] : [],
  );
  return [0, ...cuts].map((begin, part) => ({ text: lines.slice(begin, cuts[part]).join('\n'), firstLine: begin + 1 }));
}
