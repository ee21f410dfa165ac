/**
 * Which sections answer a query, and how well. What the index says about each word is added up; a section
 * that leaves words unanswered loses; one whose heading or title is what was typed wins. So an identifier in
 * a heading goes before a page's title, that before a heading's words, then code, then prose.
 */
import type { KnownSection } from './known-section.ts';
import type { Name, Outline } from './outline.ts';
import type { Alternative, Query, Term } from './query.ts';
import type { SearchIndex } from './search-index.ts';
import { singular, unjointed } from './tokenize.ts';

export interface Ranked {
  readonly section: KnownSection;
  readonly score: number;
  /** Share of the query's words that the section answers, 0–1, rare words counting more. */
  readonly coverage: number;
}

/** Below this share of the query a section says nothing about it, unless none says much more (a pasted log). */
const COVERAGE_MIN = 0.34;
const COVERAGE_OF_BEST_MIN = 0.6;
/** A heading that is exactly what was typed multiplies its section's score by 1 + this. */
const NAME_GAIN = 1.5;
const TITLE_GAIN = 0.2;
/** A whole page about what was typed goes before sections of that name within others. */
const PAGE_FACTOR = 1.4;
const NAMED_FACTOR = 2;
const ENDING_FACTOR = 1.6;
const BEGINNING_FACTOR = 1.9;
const SHARED_LENGTH_MIN = 4;
const PAIR_FACTOR = 1.5;
const FURTHER_WORD_FACTOR = 2;
const FURTHER_WORDS_MAX = 4;
const ADDRESS = /^0x[0-9a-f]{40}$/;
/** The page this site is about: a little ahead. */
export const CENTRAL_ROUTE = '/builders/chain-operators/tools/op-conductor';
/** Its reference: well ahead where an identifier was typed, more so where several pages have it as a heading. */
export const REFERENCE_ROUTES = new Set(['/conductor/flags', '/conductor/rpc']);
const CENTRAL_FACTOR = 1.1;
const REFERENCE_FACTOR = 1.3;
const REFERENCE_NAMED_FACTOR = 1.5;
/** A page that says elsewhere what its section does not say: for all of the query's words, a section gains by so much. */
const PAGE_GAIN = 0.4;
const SIGNPOST_FACTOR = 0.3;
/** Records and the changelog tell how things came about: behind what tells how they are. */
const HISTORY = /^\/conductor\/(?:decisions\/|changelog$)/;
const HISTORY_FACTOR = 0.75;

/** How much of each page's words answer the query: by the page's number, as coverage of sections. */
type PageCoverage = Map<number, number>;

interface Tally {
  score: number;
  covered: number;
}

/** All sections that answer, best first. */
export function rankSections(query: Query, index: SearchIndex): Ranked[] {
  const tallies = new Map<number, Tally>();
  const pages: PageCoverage = new Map();
  let importance = 0;
  for (const term of query.terms) {
    const rarity = term.emphasis * Math.sqrt(0.25 + rarityOf(term, index));
    importance += rarity;
    const sections = sectionsOf(term, index);
    addCoverage(pages, { sections, rarity, index });
    for (const [position, found] of sections) {
      const tally = tallies.get(position) ?? { score: 0, covered: 0 };
      tally.score += term.emphasis * found.score;
      tally.covered += rarity * found.coverage;
      tallies.set(position, tally);
    }
  }
  let best = 0;
  for (const { covered } of tallies.values()) best = Math.max(best, covered / importance);
  const floor = Math.min(COVERAGE_MIN, COVERAGE_OF_BEST_MIN * best);
  const ranked: Ranked[] = [];
  for (const [position, tally] of tallies) {
    const coverage = tally.covered / importance;
    if (coverage < floor) continue;
    const section = index.sections[position]!;
    ranked.push({
      section,
      coverage,
      score:
        tally.score *
        coverage ** 2.5 *
        (1 + PAGE_GAIN * ((pages.get(section.page) ?? 0) / importance - coverage)) *
        structure(index.outline(position), query) *
        directory(section, query) *
        centrality(section, index.outline(position), query) *
        (HISTORY.test(section.route) ? HISTORY_FACTOR : 1) *
        (section.slug !== '' && index.signposts.has(section.heading) ? SIGNPOST_FACTOR : 1),
    });
  }
  return ranked.sort((a, b) => b.score - a.score);
}

interface Found {
  readonly sections: ReadonlyMap<number, { readonly coverage: number }>;
  readonly rarity: number;
  readonly index: SearchIndex;
}

/** A word counts once for a page, where it is said best. */
function addCoverage(pages: PageCoverage, { sections, rarity, index }: Found): void {
  const best = new Map<number, number>();
  for (const [position, { coverage }] of sections) {
    const { page } = index.sections[position]!;
    best.set(page, Math.max(best.get(page) ?? 0, coverage));
  }
  for (const [page, coverage] of best) pages.set(page, (pages.get(page) ?? 0) + rarity * coverage);
}

/** How rare the word is as typed, or what it is taken for when nobody writes it so. */
function rarityOf(term: Term, index: SearchIndex): number {
  const own = index.vocabulary.count(term.typed);
  if (own > 0) return index.rarity(own);
  const counted = term.alternatives.map(({ tokens, weight }) => ({
    weight,
    sections: Math.min(...tokens.map((token) => index.vocabulary.count(token))),
  }));
  const likeliest = Math.max(0, ...counted.map(({ weight, sections }) => (sections > 0 ? weight : 0)));
  const sections = counted.reduce((sum, { weight, sections: more }) => sum + (weight === likeliest ? more : 0), 0);
  return index.rarity(Math.min(sections, index.sections.length));
}

function sectionsOf(term: Term, index: SearchIndex): Map<number, { score: number; coverage: number }> {
  const best = new Map<number, { score: number; coverage: number }>();
  const rarity = rarityOf(term, index);
  for (const alternative of term.alternatives) {
    for (const [position, found] of sectionsOfAlternative(alternative, index, rarity)) {
      const before = best.get(position);
      best.set(position, {
        score: Math.max(before?.score ?? 0, found.score),
        coverage: Math.max(before?.coverage ?? 0, found.coverage),
      });
    }
  }
  return best;
}

function sectionsOfAlternative(
  alternative: Alternative,
  index: SearchIndex,
  rarity: number,
): Map<number, { score: number; coverage: number }> {
  const { tokens, weight, isPartial } = alternative;
  const sums = new Map<number, { score: number; held: number }>();
  for (const token of tokens) {
    // What a word may mean tells no more than the word itself.
    const share = Math.min(1, rarity / Math.max(0.1, index.rarity(index.vocabulary.count(token))));
    for (const [position, score] of index.holding(token)) {
      const sum = sums.get(position) ?? { score: 0, held: 0 };
      sum.score += score * share;
      sum.held += 1;
      sums.set(position, sum);
    }
  }
  const found = new Map<number, { score: number; coverage: number }>();
  for (const [position, { score, held }] of sums) {
    if (held < tokens.length && !isPartial) continue;
    const share = (held / tokens.length) ** 2;
    // A synonym answers the question nearly as well as the word, though it weighs less.
    found.set(position, { score: (score / tokens.length) * weight * share, coverage: share * (0.5 + weight / 2) });
  }
  return found;
}

/** How much a section's place and wording say that it is the one: a factor of 1 or more. */
function structure(outline: Outline, query: Query): number {
  const { names, title } = outline;
  const [heading] = names;
  const nameFit = Math.max(...names.map((name) => fit(name, query)));
  const isPage = title === heading;
  const titleFit = isPage ? 0 : fit(title, query);
  const page = isPage && nameFit === 1 ? PAGE_FACTOR : 1;
  const naming = Math.max(1, ...query.terms.map((term) => (term.isIdentifier ? namingOf(term.typed, heading!) : 1)));
  return (1 + NAME_GAIN * nameFit + TITLE_GAIN * titleFit) * page * naming;
}

/** Best first once more, for sections whose texts are there: where the words stand as they were typed counts more. */
export function rankByPhrase(ranked: readonly Ranked[], query: Query, index: SearchIndex): Ranked[] {
  const factor = phraseFactor(query.phrase);
  return ranked
    .map((one) => {
      return index.plainWords(one.section).includes(` ${query.phrase} `) ? { ...one, score: one.score * factor } : one;
    })
    .sort((a, b) => b.score - a.score);
}

/** The more words stand there as they were typed, the less can that be by chance. */
function phraseFactor(phrase: string): number {
  const words = phrase.split(' ').length;
  return words < 2 ? 1 : PAIR_FACTOR * FURTHER_WORD_FACTOR ** Math.min(words - 2, FURTHER_WORDS_MAX);
}

/** Whoever looks for an address wants what it is of: that stands where many are listed. */
function directory({ addresses }: KnownSection, { terms }: Query): number {
  return terms.some(({ typed }) => ADDRESS.test(typed)) ? 1 + Math.log2(Math.max(1, addresses)) : 1;
}

function centrality({ route }: KnownSection, { names: [heading] }: Outline, query: Query): number {
  if (route === CENTRAL_ROUTE) return CENTRAL_FACTOR;
  if (!REFERENCE_ROUTES.has(route)) return 1;
  const identifiers = query.terms.filter(({ isIdentifier }) => isIdentifier);
  // A flag of one word, as other programs have it, too: --config.
  const [only, ...others] = query.terms;
  if (identifiers.length === 0)
    return others.length === 0 && only !== undefined && heading?.wholes.has(only.typed) ? CENTRAL_FACTOR : 1;
  return identifiers.some(({ typed }) => heading?.wholes.has(typed)) ? REFERENCE_NAMED_FACTOR : REFERENCE_FACTOR;
}

/**
 * What it is worth that a heading is the identifier typed, or the end of it (--l1.beacon is OP_NODE_L1_BEACON), or
 * begins so.
 */
function namingOf(typed: string, { wholes, joined }: Name): number {
  if (wholes.has(typed)) return NAMED_FACTOR;
  const name = unjointed(typed);
  if (joined.length >= SHARED_LENGTH_MIN && name.endsWith(joined)) return ENDING_FACTOR;
  return name.length >= SHARED_LENGTH_MIN && joined.startsWith(name) ? BEGINNING_FACTOR : 1;
}

/** How much of a name is the query and of the query the name, 0–1. */
function fit(name: Name, query: Query): number {
  if (name.wholes.size === 0) return 0;
  const shared = query.terms.reduce((sum, { read }) => sum + (name.tokens.get(singular(read)) ?? 0), 0);
  return shared / Math.max(shared, name.wholes.size + query.terms.length - shared);
}
