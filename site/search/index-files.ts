/** Makes the files of the search index (index-format.ts) from the sections of all pages, when the site is built. */
import type { Section } from '../engine/page.ts';
import {
  HEAD_NAME,
  letterOf,
  plainSlug,
  postingsName,
  SCORE_SCALE,
  textName,
  WORDS_NAME,
  type HeadFile,
  type TextFile,
  type WordsFile,
} from './index-format.ts';
import { postingsOf, type Posting } from './postings.ts';

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
