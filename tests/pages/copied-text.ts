/**
 * Looks for what our pages have in common with other texts: runs of words as long as a sentence, and lines of code that
 * follow each other in both. Facts are the same everywhere; sentences and programs are ours.
 */
import { fencesOf } from './fences.ts';

/** A page or another text, in Markdown or MDX. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface Copy {
  readonly kind: 'words' | 'code';
  /** Names of the two texts. */
  readonly ours: string;
  readonly theirs: string;
  /** What they share, words in lower case. */
  readonly shared: string;
}

/** Words in a row that are no chance, and how many of them must differ: a mnemonic for tests is no sentence. */
const WORDS_MIN = 12;
const DIFFERENT_WORDS_MIN = 6;
/** Lines in a row: one is a command line. */
const LINES_MIN = 2;
/** Data: an answer of a node looks the same wherever it is shown. */
const DATA_LANGUAGES = new Set(['json']);
/** Shorter lines are brackets, imports of one name and the like. */
const LINE_CHARACTERS_MIN = 12;

/** The longest runs that ours share with theirs, each once for each of our texts. */
export function findCopies(ours: readonly NamedText[], theirs: readonly NamedText[]): Copy[] {
  return [
    ...shared('words', ours, theirs, {
      unitsOf: wordsOf,
      length: WORDS_MIN,
      different: DIFFERENT_WORDS_MIN,
      glue: ' ',
    }),
    ...shared('code', ours, theirs, { unitsOf: linesOf, length: LINES_MIN, different: LINES_MIN, glue: '\n' }),
  ];
}

interface Reading {
  /** The units of a text in runs; nothing is shared across two of them. */
  unitsOf(text: string): string[][];
  readonly length: number;
  /** Units of a run that differ from each other, at least. */
  readonly different: number;
  readonly glue: string;
}

function shared(
  kind: Copy['kind'],
  ours: readonly NamedText[],
  theirs: readonly NamedText[],
  { unitsOf, length, different, glue }: Reading,
): Copy[] {
  const known = new Map<string, string>();
  for (const { name, text } of theirs) {
    for (const units of unitsOf(text)) {
      for (let at = 0; at + length <= units.length; at++) known.set(units.slice(at, at + length).join(glue), name);
    }
  }
  return ours.flatMap(({ name, text }) => {
    const found = new Map<string, Copy>();
    for (const units of unitsOf(text)) {
      for (let at = 0; at + length <= units.length; at++) {
        const source = known.get(units.slice(at, at + length).join(glue));
        if (source === undefined) continue;
        let end = at + length;
        while (end < units.length && known.has(units.slice(end - length + 1, end + 1).join(glue))) end++;
        const run = units.slice(at, end);
        const text = run.join(glue);
        if (new Set(run).size >= different) found.set(text, { kind, ours: name, theirs: source, shared: text });
        at = end - length;
      }
    }
    return [...found.values()];
  });
}

/** Words of sentences, headings and cells, without markup, code blocks, tags and addresses. */
function wordsOf(markdown: string): string[][] {
  const prose = withoutFences(markdown)
    .replace(/^---\n[^]*?\n---\n/, '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, '] ')
    .replaceAll(/https?:\S+/g, ' ');
  return prose
    .split(/\n\s*\n|\||[.?!:](?=\s)|\n\s*(?=[-*#>]|\d+\.)/)
    .map((part) => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^ *(`{3,})[^]*?^ *\1 *$/gm, '\n\n');
}

/** Lines of code blocks that say something, with single spaces. */
function linesOf(markdown: string): string[][] {
  const code = fencesOf(markdown).filter(({ lang }) => !DATA_LANGUAGES.has(lang));
  return code.map(({ text }) =>
    text
      .split('\n')
      .map((line) => line.trim().replaceAll(/\s+/g, ' '))
      .filter((line) => line.length >= LINE_CHARACTERS_MIN),
  );
}
