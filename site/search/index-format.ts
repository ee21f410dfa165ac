/**
 * The files of the search index, as browsers and the edge fetch them: `head` with all pages and headings when search is
 * about to be used, the postings of tokens by first letter when a word begins so, the text of a page when it is shown,
 * and all words when one is nowhere. index-files.ts makes them, search-index.ts reads them.
 */

export interface HeadFile {
  readonly trails: readonly (readonly string[])[];
  readonly pages: readonly PageEntry[];
  /** First letters of tokens, each with a file of postings. */
  readonly letters: readonly string[];
  /** Position of a section among all, and how many addresses of contracts and accounts stand in it. */
  readonly addresses: readonly (readonly [position: number, count: number])[];
}

export interface PageEntry {
  readonly route: string;
  readonly title: string;
  /** Which of `trails`. */
  readonly trail: number;
  readonly tags: readonly string[];
  /** Of each section: its heading, and before it the slug where that is not `plainSlug` of it. Empty before the first heading. */
  readonly sections: readonly (string | readonly [slug: string, heading: string])[];
}

/** Of each token that begins with the file's letter: positions as differences, each followed by its score. */
export type PostingsFile = Readonly<Record<string, readonly number[]>>;

export interface WordsFile {
  readonly tokens: readonly string[];
  /** Sections that hold each. */
  readonly counts: readonly number[];
}

/** Prose and code of each section of a page. */
export type TextFile = readonly (readonly [prose: string, code: readonly string[]])[];

/** Scores travel as whole numbers. */
export const SCORE_SCALE = 50;

export const HEAD_NAME = 'head.json';
export const WORDS_NAME = 'words.json';

export function postingsName(letter: string): string {
  return `letter-${(letter.codePointAt(0) ?? 0).toString(16)}.json`;
}

export function textName(page: number): string {
  return `text-${page}.json`;
}

/** By a token's first letter: in which file its postings are. */
export function letterOf(token: string): string {
  return String.fromCodePoint(token.codePointAt(0) ?? 0);
}

/** What the slug of most headings is: letters, digits, hyphens and underscores of it, a hyphen for each space. */
export function plainSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
