/**
 * The first answer, from titles, headings and tags alone: there at the first key, before anything of the texts has been
 * fetched. A plain look at every heading, with no index to build. The answer of `find` takes its place.
 */
import {
  HITS_PER_PAGE,
  QUERY_LENGTH_MAX,
  QUERY_WORDS_MAX,
  RESULTS_MAX,
  type SearchAnswer,
  type SearchRequest,
} from './answer.ts';
import { countAreas, hrefOf } from './find.ts';
import { markedSpans, type Marks } from './fragment.ts';
import { kindOf } from './kinds.ts';
import type { KnownSection } from './known-section.ts';
import { CENTRAL_ROUTE, REFERENCE_ROUTES } from './rank.ts';
import { areaKey, type SearchIndex } from './search-index.ts';

/** What a word counts for in a heading, whole or as a beginning, and in the page's title or tags. */
const WHOLE = 3;
const BEGINNING = 2;
const OF_PAGE = 1;
/** Inside of a name without its joints, from so many letters: addServerAs. */
const JOINED_LENGTH_MIN = 4;
/** Of longer queries some words may be in the text alone. */
const SHARE_MIN = 0.6;
/** How much it counts that the heading is what was typed and little else. */
const FIT_GAIN = 2;
const PAGE_GAIN = 0.5;
const CENTRAL_GAIN = 0.3;

interface Name {
  readonly section: KnownSection;
  /** Words between single spaces, lower-case. */
  readonly heading: string;
  readonly joined: string;
  readonly page: string;
}

interface Found {
  readonly section: KnownSection;
  readonly score: number;
}

const named = new WeakMap<SearchIndex, readonly Name[]>();

/** No results when no name has enough of the words. */
export function findNames(index: SearchIndex, request: SearchRequest): SearchAnswer {
  const { query: typed, area = null } = request;
  const words = plain(typed.slice(0, QUERY_LENGTH_MAX)).trim().split(' ').slice(0, QUERY_WORDS_MAX);
  const found = words[0] === '' ? [] : rank(namesOf(index), words);
  const pages = [...Map.groupBy(found, ({ section }) => section.page).values()];
  const inArea = area === null ? pages : pages.filter(([best]) => areaKey(best!.section) === area);
  const marks: Marks = new Map(words.map((word, term) => [word, { weight: 1, term }]));
  return {
    query: typed,
    area,
    pass: 'names',
    respellings: [],
    pages: inArea.length,
    pagesEverywhere: pages.length,
    areas: countAreas(
      index,
      pages.map(([best]) => best!.section),
    ),
    results: inArea.slice(0, RESULTS_MAX).map((of, at) => {
      const { section, score } = of[0]!;
      const hits = of.slice(0, HITS_PER_PAGE).map((one) => ({
        href: hrefOf(one.section),
        slug: one.section.slug,
        kind: kindOf(one.section, typed),
        heading: one.section.heading,
        headingSpans: markedSpans(one.section.heading, marks),
        fragment: null,
        score: one.score,
      }));
      const { route, pageTitle, trail } = section;
      const titleSpans = markedSpans(pageTitle, marks);
      return { rank: at + 1, route, href: hits[0]!.href, pageTitle, titleSpans, trail, score, hits };
    }),
  };
}

function namesOf(index: SearchIndex): readonly Name[] {
  let names = named.get(index);
  if (names === undefined) {
    names = index.sections.map((section) => ({
      section,
      heading: plain(section.heading),
      joined: unspaced(plain(section.heading)),
      page: `${plain(section.pageTitle)}${plain(section.tags.join(' '))}`,
    }));
    named.set(index, names);
  }
  return names;
}

function rank(names: readonly Name[], words: readonly string[]): Found[] {
  const typed = words.join('');
  const enough = words.length <= 2 ? words.length : words.length * SHARE_MIN;
  const found: Found[] = [];
  for (const name of names) {
    let sum = 0;
    let held = 0;
    for (const word of words) {
      const worth = worthOf(word, name);
      sum += worth;
      if (worth > 0) held += 1;
    }
    const isJoined = typed.length >= JOINED_LENGTH_MIN && name.joined.includes(typed);
    if (held < enough && !isJoined) continue;
    if (sum <= held * OF_PAGE && name.section.slug !== '' && !isJoined) continue;
    const share = isJoined ? 1 : held / words.length;
    const fit = typed.length / Math.max(typed.length, name.joined.length);
    const score = (isJoined ? WHOLE : sum / words.length) * share ** 2 + FIT_GAIN * fit + bonusOf(name.section);
    found.push({ section: name.section, score });
  }
  return found.sort((a, b) => b.score - a.score);
}

function worthOf(word: string, { heading, page }: Name): number {
  if (heading.includes(` ${word} `)) return WHOLE;
  if (heading.includes(` ${word}`)) return BEGINNING;
  return page.includes(` ${word}`) ? OF_PAGE : 0;
}

function bonusOf({ slug, route }: KnownSection): number {
  const isCentral = route === CENTRAL_ROUTE || REFERENCE_ROUTES.has(route);
  return (slug === '' ? PAGE_GAIN : 0) + (isCentral ? CENTRAL_GAIN : 0);
}

/** Lower-case words between single spaces; what joins identifiers counts as a space. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function unspaced(text: string): string {
  return text.replaceAll(' ', '');
}
