/**
 * The files of the search index, as browsers fetch them: `head` with all pages and headings when search is about to be
 * used, the postings of tokens by first letter when a word begins so, the text of a page when it is shown, and all words
 * when one is nowhere. Everything here runs when the site is built; search-index.ts reads what it makes.
 */
import type { Section } from '../engine/page.ts';
import { postingsOf, type Posting } from './postings.ts';

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

/** All files by name. Sections of a page follow each other, the one before the first heading first. */
export function indexFiles(sections: readonly Section[]): Map<string, string> {
  const pages = [...Map.groupBy(sections, ({ route }) => route).values()];
  const postings = postingsOf(pages.flat());
  const files = new Map<string, string>();
  for (const [page, of] of pages.entries()) {
    files.set(textName(page), JSON.stringify(of.map(({ prose, code }) => [prose, code]) satisfies TextFile));
  }
  const letters = Map.groupBy(postings, ([token]) => letterOf(token));
  files.set(HEAD_NAME, JSON.stringify(headOf(pages, [...letters.keys()])));
  for (const [letter, of] of letters) {
    const lists = of.map(([token, list]) => [token, packed(list)] as const);
    files.set(postingsName(letter), JSON.stringify(Object.fromEntries(lists)));
  }
  const words = [...postings].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wordsFile: WordsFile = {
    tokens: words.map(([token]) => token),
    counts: words.map(([, list]) => list.length),
  };
  files.set(WORDS_NAME, JSON.stringify(wordsFile));
  return files;
}

function headOf(pages: readonly (readonly Section[])[], letters: readonly string[]): HeadFile {
  const trails = new Map<string, readonly string[]>();
  for (const [first] of pages) trails.set(JSON.stringify(first!.trail), first!.trail);
  const keys = [...trails.keys()];
  return {
    letters,
    trails: [...trails.values()],
    pages: pages.map(([first, ...rest]) => ({
      route: first!.route,
      title: first!.pageTitle,
      trail: keys.indexOf(JSON.stringify(first!.trail)),
      tags: first!.tags ?? [],
      sections: [first!, ...rest].map(({ slug, heading }) => {
        if (slug === '') return '';
        return plainSlug(heading) === slug ? heading : [slug, heading];
      }),
    })),
    addresses: pages.flat().flatMap((section, position) => {
      const count = addressesIn(section);
      return count === 0 ? [] : [[position, count] as const];
    }),
  };
}

/** What the slug of most headings is: letters, digits, hyphens and underscores of it, a hyphen for each space. */
export function plainSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const ADDRESS = /\b0x[0-9a-f]{40}\b/gi;

function addressesIn({ prose, code }: Section): number {
  return new Set([prose, ...code].join('\n').match(ADDRESS)).size;
}

function packed(list: readonly Posting[]): number[] {
  let before = 0;
  return list.flatMap(([position, score]) => {
    const step = position - before;
    before = position;
    return [step, Math.max(1, Math.round(score * SCORE_SCALE))];
  });
}
