/**
 * The whole search: a request to an answer, the same in the dialog's worker, on the command line and in the
 * tests. The words as typed come first; only when they find little is it asked what they may be slips of.
 */
import type { Section } from '../engine/page.ts';
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
import { parseQuery, type Query } from './query.ts';
import { rankSections, type Ranked } from './rank.ts';
import { areaKey, type SectionsIndex } from './sections-index.ts';

/** Fewer pages than this that answer every word are little. */
const PAGES_ENOUGH = 3;
/** A section of a page is shown from this share of the score of the best below a heading. */
const HIT_SHARE_MIN = 0.35;

export function find(index: SectionsIndex, request: SearchRequest): SearchAnswer {
  const { query: typed, area = null } = request;
  let query = parseQuery(typed, index, { isFuzzy: false });
  let ranked = rankSections(query, index);
  let pass: SearchAnswer['pass'] = 'exact';
  if (pagesOf(ranked.filter(({ coverage }) => coverage >= COVERAGE_FULL)).length < PAGES_ENOUGH) {
    const fuzzy = parseQuery(typed, index, { isFuzzy: true });
    if (fuzzy.terms.some((term) => term.alternatives.some((alternative) => alternative.isRespelling))) {
      query = fuzzy;
      ranked = rankSections(query, index);
      pass = 'fuzzy';
    }
  }
  const pages = pagesOf(ranked);
  const inArea = area === null ? pages : pages.filter(([best]) => areaKey(best!.section) === area);
  const marks = marksOf(query);
  return {
    query: typed,
    area,
    pass,
    respellings: respellingsOf(query, index),
    pages: inArea.length,
    pagesEverywhere: pages.length,
    areas: areasOf(index, pages),
    results: inArea.slice(0, RESULTS_MAX).map((hits, position) => pageResult(hits, position + 1, marks)),
  };
}

/** A little less than all, for synonyms count a little less. */
const COVERAGE_FULL = 0.7;

/** Ranked sections by page, pages in the order of their best section. */
function pagesOf(ranked: readonly Ranked[]): Ranked[][] {
  return [...Map.groupBy(ranked, ({ section }) => section.route).values()];
}

function pageResult(ranked: readonly Ranked[], rank: number, marks: Marks): PageResult {
  const best = ranked[0]!;
  // What stands before the first heading has the page's tags in its favour; that says nothing against its sections.
  const bestBelow = ranked.find(({ section }) => section.slug !== '') ?? best;
  const hits = ranked
    .filter(({ score }) => score >= bestBelow.score * HIT_SHARE_MIN)
    .slice(0, HITS_PER_PAGE)
    .map(({ section, score }) => hit(section, score, marks));
  return {
    rank,
    route: best.section.route,
    href: hits[0]!.href,
    pageTitle: best.section.pageTitle,
    titleSpans: markedSpans(best.section.pageTitle, marks),
    trail: best.section.trail,
    score: best.score,
    hits,
  };
}

function hit(section: Section, score: number, marks: Marks): Hit {
  const heading = section.slug === '' ? section.pageTitle : section.heading;
  return {
    href: section.slug === '' ? section.route : `${section.route}#${section.slug}`,
    slug: section.slug,
    heading,
    headingSpans: markedSpans(heading, marks),
    fragment: fragmentOf(section, marks),
    score,
  };
}

function respellingsOf(query: Query, index: SectionsIndex): Respelling[] {
  return query.terms.flatMap((term) => {
    const isFound = term.alternatives.some(
      ({ tokens, isRespelling }) => !isRespelling && tokens.every((token) => index.vocabulary.has(token)),
    );
    const meant = term.alternatives.find(({ isRespelling }) => isRespelling);
    return isFound || meant === undefined ? [] : [{ typed: term.typed, read: meant.tokens.join(' ') }];
  });
}

/** The parts of the site with how many pages of each answer. */
function areasOf(index: SectionsIndex, pages: readonly Ranked[][]): Area[] {
  const counts = new Map<string, number>();
  for (const [best] of pages) {
    const key = areaKey(best!.section);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...index.areas].map(([key, label]) => ({ key, label, pages: counts.get(key) ?? 0 }));
}
