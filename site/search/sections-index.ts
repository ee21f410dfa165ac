/**
 * The index over a site's sections: Orama's postings and BM25 with a weight per field, fed with our own
 * tokens. Each token is stored with a mark at its end, because Orama takes every term for the beginning of
 * a word, and each is asked for alone: with several, Orama wants all in one field, and a page's title and
 * its section's heading are two.
 */
import { create, insert, search, type Orama, type Tokenizer } from '@orama/orama';
import type { Section } from '../engine/page.ts';
import { outlineOf, type Outline } from './outline.ts';
import { tokenize } from './tokenize.ts';
import { Vocabulary } from './vocabulary.ts';

const schema = {
  title: 'string',
  heading: 'string',
  keywords: 'string',
  trail: 'string',
  code: 'string',
  prose: 'string',
} as const;

/** What a word counts for where it stands. */
const boosts: Record<keyof typeof schema, number> = {
  heading: 4,
  title: 3,
  keywords: 3.5,
  trail: 0.6,
  code: 1,
  prose: 1,
};

/**
 * Long fields weigh less only because each of their words is a smaller share of them (`k`, `d`), not by the
 * mean length (`b`): most sections have no code and no keywords, so the mean says nothing.
 */
const relevance = { k: 1.2, b: 0, d: 0.35 };

const END_OF_TOKEN = ' ';

/** A heading is a signpost from this share of the pages. */
const SIGNPOST_SHARE = 0.5;

export class SectionsIndex {
  readonly sections: readonly Section[];
  readonly outlines: readonly Outline[];
  /** Labels of the top-level parts of the site by their keys, in the order of the sections. */
  readonly areas: ReadonlyMap<string, string>;
  readonly vocabulary = new Vocabulary();
  /** Headings that every other page has, such as "Where to go next": what stands there is about other pages. */
  readonly signposts: ReadonlySet<string>;
  readonly #orama: Orama<typeof schema>;
  /** Tokens of the section that is being indexed. */
  readonly #seen = new Set<string>();
  readonly #found = new Map<string, ReadonlyMap<number, number>>();

  private constructor(sections: readonly Section[]) {
    this.sections = sections;
    this.outlines = sections.map(outlineOf);
    this.areas = areasOf(sections);
    this.signposts = signpostsOf(sections);
    const tokenizer: Tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      // Orama names the field when it indexes, and none when it searches; terms come as tokens.
      tokenize: (raw, _language, field) => {
        if (field === undefined) return [raw];
        const tokens = tokenize(raw);
        for (const token of tokens) this.#seen.add(token);
        return tokens.map((token) => token + END_OF_TOKEN);
      },
    };
    this.#orama = create({ schema, components: { tokenizer } });
  }

  static build(sections: readonly Section[]): SectionsIndex {
    const index = new SectionsIndex(sections);
    for (const [position, section] of sections.entries()) {
      index.#seen.clear();
      void insert(index.#orama, { id: String(position), ...fieldsOf(section) });
      index.vocabulary.add(index.#seen);
    }
    return index;
  }

  /** Sections that hold the token, by position, with how much they are about it (> 0). */
  holding(token: string): ReadonlyMap<number, number> {
    let scores = this.#found.get(token);
    if (scores === undefined) {
      scores = this.vocabulary.has(token) ? this.#ask(token) : new Map();
      if (this.#found.size >= CACHED_TOKENS_MAX) this.#found.clear();
      this.#found.set(token, scores);
    }
    return scores;
  }

  /** How much a token tells: large for rare ones, nearly 0 for one that stands everywhere. */
  rarity(sectionsHolding: number): number {
    return Math.log(1 + (this.sections.length - sectionsHolding + 0.5) / (sectionsHolding + 0.5));
  }

  #ask(token: string): ReadonlyMap<number, number> {
    const answer = search(this.#orama, {
      term: token + END_OF_TOKEN,
      boost: boosts,
      relevance,
      limit: this.sections.length,
    });
    if (answer instanceof Promise) throw new Error('Orama answers at once when no hook is installed.');
    return new Map(answer.hits.map((hit) => [Number(hit.id), hit.score]));
  }
}

/** Tokens whose sections are remembered: the query grows letter by letter, and most of its words stay. */
const CACHED_TOKENS_MAX = 500;

function fieldsOf(section: Section): Record<keyof typeof schema, string> {
  const isFirst = section.slug === '';
  return {
    title: section.pageTitle,
    heading: isFirst ? section.pageTitle : section.heading,
    // The address often has the name that the title spells out.
    keywords: isFirst ? [...(section.tags ?? []), lastSegment(section.route)].join('\n') : '',
    trail: section.trail.join('\n'),
    code: section.code.join('\n'),
    prose: isFirst ? [section.description ?? '', section.prose].join('\n') : section.prose,
  };
}

function areasOf(sections: readonly Section[]): Map<string, string> {
  const areas = new Map<string, string>();
  for (const section of sections) {
    const label = section.trail[0];
    if (label !== undefined && !areas.has(areaKey(section))) areas.set(areaKey(section), label);
  }
  return areas;
}

function signpostsOf(sections: readonly Section[]): Set<string> {
  const pages = sections.filter(({ slug }) => slug === '').length;
  const counts = new Map<string, number>();
  for (const { heading, slug } of sections) if (slug !== '') counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > SIGNPOST_SHARE * pages).map(([heading]) => heading));
}

/** Which top-level part of the site a section belongs to: the first part of its address, empty for the home page. */
export function areaKey(section: Section): string {
  return section.route.split('/')[1] ?? '';
}

function lastSegment(route: string): string {
  return route.slice(route.lastIndexOf('/') + 1);
}
