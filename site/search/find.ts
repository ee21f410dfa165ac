/**
 * The whole search: a request to an answer, the same in the dialog's worker, on the command line and in the tests. The
 * words as typed come first; only when they find little is it asked what they may be slips of. What is fetched on the
 * way depends on the query alone.
 */
import {
  HITS_PER_PAGE,
  RESULTS_MAX,
  type Area,
  type Hit,
  type PageResult,
  type Respelling,
  type SearchAnswer,
  type SearchRequest,
} from './answer.ts';
import { fragmentOf, markedSpans, marksOf, type Marks } from './fragment.ts';
import { kindOf } from './kinds.ts';
import type { KnownSection } from './known-section.ts';
import { hasUnknownWord, parseQuery, tokensOf, typedTokens, type Query } from './query.ts';
import { rankByPhrase, rankSections, type Ranked } from './rank.ts';
import { areaKey, type SearchIndex } from './search-index.ts';

/** Fewer pages than this that answer every word are little. */
const PAGES_ENOUGH = 3;
/** A section of a page is shown from this share of the score of the best below a heading. */
const HIT_SHARE_MIN = 0.35;
/** A phrase is looked for in the texts of so many pages, the best by their words. */
const PHRASE_PAGES_MAX = 24;
/** A little less than all, for synonyms count a little less. */
const COVERAGE_FULL = 0.7;
/** What words may mean has words of its own; each round fetches those of the last. */
const ROUNDS_MAX = 3;

export async function find(index: SearchIndex, request: SearchRequest): Promise<SearchAnswer> {
  const { query: typed, area = null } = request;
  let query = await understood(typed, index, false);
  let ranked = rankSections(query, index);
  let pass: SearchAnswer['pass'] = 'exact';
  if (pagesOf(ranked.filter(({ coverage }) => coverage >= COVERAGE_FULL)).length < PAGES_ENOUGH) {
    const fuzzy = await understood(typed, index, true);
    if (fuzzy.terms.some((term) => term.alternatives.some((alternative) => alternative.isRespelling))) {
      query = fuzzy;
      ranked = rankSections(query, index);
      pass = 'fuzzy';
    }
  }
  ranked = await phrasesFirst(ranked, query, index);
  return answerOf({ index, query, ranked, pass, typed, area });
}

/** Parses the query, fetching what it needs to know of words. */
async function understood(typed: string, index: SearchIndex, isFuzzy: boolean): Promise<Query> {
  await index.loadTokens(typedTokens(typed));
  let options = { isFuzzy, isSplit: isFuzzy };
  if (isFuzzy) await index.loadWords();
  let query = parseQuery(typed, index, options);
  if (!isFuzzy && hasUnknownWord(query, index)) {
    options = { isFuzzy, isSplit: true };
    await index.loadWords();
    query = parseQuery(typed, index, options);
  }
  for (let round = 0; round < ROUNDS_MAX && !index.hasTokens(tokensOf(query)); round += 1) {
    await index.loadTokens(tokensOf(query));
    query = parseQuery(typed, index, options);
  }
  return query;
}

/** A phrase can only be found in texts: those of the best pages are fetched, the others keep their places behind. */
async function phrasesFirst(ranked: readonly Ranked[], query: Query, index: SearchIndex): Promise<Ranked[]> {
  if (!query.phrase.includes(' ')) return [...ranked];
  const pages = pagesOf(ranked).slice(0, PHRASE_PAGES_MAX);
  await index.loadTexts(pages.map(([best]) => best!.section.page));
  const near = new Set(pages.map(([best]) => best!.section.page));
  const [read, unread] = [true, false].map((isNear) =>
    ranked.filter(({ section }) => near.has(section.page) === isNear),
  );
  return [...rankByPhrase(read!, query, index), ...unread!].toSorted((a, b) => b.score - a.score);
}

interface Finding {
  readonly index: SearchIndex;
  readonly query: Query;
  readonly ranked: readonly Ranked[];
  readonly pass: SearchAnswer['pass'];
  readonly typed: string;
  readonly area: string | null;
}

async function answerOf({ index, query, ranked, pass, typed, area }: Finding): Promise<SearchAnswer> {
  const pages = pagesOf(ranked);
  const inArea = area === null ? pages : pages.filter(([best]) => areaKey(best!.section) === area);
  const shown = inArea.slice(0, RESULTS_MAX);
  await index.loadTexts(shown.map(([best]) => best!.section.page));
  const marks = marksOf(query);
  return {
    query: typed,
    area,
    pass,
    respellings: respellingsOf(query, index),
    pages: inArea.length,
    pagesEverywhere: pages.length,
    areas: countAreas(
      index,
      pages.map(([best]) => best!.section),
    ),
    results: shown.map((hits, position) => pageResult(hits, position + 1, { marks, typed, index })),
  };
}

/** Ranked sections by page, pages in the order of their best section. */
function pagesOf(ranked: readonly Ranked[]): Ranked[][] {
  return [...Map.groupBy(ranked, ({ section }) => section.page).values()];
}

interface Showing {
  readonly marks: Marks;
  readonly typed: string;
  readonly index: SearchIndex;
}

function pageResult(ranked: readonly Ranked[], rank: number, showing: Showing): PageResult {
  const best = ranked[0]!;
  // What stands before the first heading has the page's tags in its favour; that says nothing against its sections.
  const bestBelow = ranked.find(({ section }) => section.slug !== '') ?? best;
  const hits = ranked
    .filter(({ score }) => score >= bestBelow.score * HIT_SHARE_MIN)
    .slice(0, HITS_PER_PAGE)
    .map((one) => hit(one, showing));
  return {
    rank,
    route: best.section.route,
    href: hits[0]!.href,
    pageTitle: best.section.pageTitle,
    titleSpans: markedSpans(best.section.pageTitle, showing.marks),
    trail: best.section.trail,
    score: best.score,
    hits,
  };
}

function hit({ section, score }: Ranked, { marks, typed, index }: Showing): Hit {
  const { heading, slug } = section;
  return {
    href: hrefOf(section),
    slug,
    kind: kindOf(section, typed),
    heading,
    headingSpans: markedSpans(heading, marks),
    fragment: fragmentOf({ heading, ...index.textOf(section) }, marks),
    score,
  };
}

/** `/route#slug`, or `/route` for what stands before the first heading. */
export function hrefOf({ route, slug }: KnownSection): string {
  return slug === '' ? route : `${route}#${slug}`;
}

function respellingsOf(query: Query, index: SearchIndex): Respelling[] {
  return query.terms.flatMap((term) => {
    const isFound = term.alternatives.some(
      ({ tokens, isRespelling }) => !isRespelling && tokens.every((token) => index.vocabulary.has(token)),
    );
    const meant = term.alternatives.find(({ isRespelling }) => isRespelling);
    return isFound || meant === undefined ? [] : [{ typed: term.typed, read: meant.tokens.join(' ') }];
  });
}

/** The parts of the site with how many of these pages each has; one section stands for each page. */
export function countAreas(index: SearchIndex, pages: readonly KnownSection[]): Area[] {
  const counts = new Map<string, number>();
  for (const section of pages) counts.set(areaKey(section), (counts.get(areaKey(section)) ?? 0) + 1);
  return [...index.areas].map(([key, label]) => ({ key, label, pages: counts.get(key) ?? 0 }));
}
