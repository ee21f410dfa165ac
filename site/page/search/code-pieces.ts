/**
 * Cuts a passage where code begins and ends: addresses, flags with their values, names with underscores or humps. A name that holds a word that was
 * searched for comes in several spans and is one name all the same.
 */
import type { Span } from '../../search/answer.ts';

export interface Piece extends Span {
  readonly isCode: boolean;
}

const CODE =
  /0x[0-9a-fA-F]{6,}|--[a-z][\w.-]+(?:=[\w.-]*\w)?|\b[a-z]{2,}(?:[A-Z][a-z0-9]+)+\b|\b[a-zA-Z0-9]+(?:_[a-zA-Z0-9]+)+\b/g;

/** The same text, in the same order. */
export function codePieces(spans: readonly Span[]): readonly Piece[] {
  const whole = spans.map(({ text }) => text).join('');
  const cuts = Array.from(whole.matchAll(CODE), ({ 0: { length }, index }) => [index, index + length] as const);
  let end = 0;
  return spans.flatMap(({ text, isMatch }) => {
    const begin = end;
    end += text.length;
    const edges = cuts.flat().filter((edge) => begin < edge && edge < end);
    return [begin, ...edges].map((from, at) => ({
      text: whole.slice(from, edges[at] ?? end),
      isMatch,
      isCode: cuts.some(([first, last]) => first <= from && from < last),
    }));
  });
}
