/**
 * The index as a search uses it: headings from the beginning, postings, words and texts as they are asked for. Each file
 * is fetched once. What a search finds depends on its query alone, not on what other searches have fetched.
 */
import type { HeadFile, PostingsFile, TextFile, WordsFile } from './index-format.ts';
import { HEAD_NAME, letterOf, plainSlug, postingsName, SCORE_SCALE, textName, WORDS_NAME } from './index-format.ts';
import type { KnownSection, SectionText } from './known-section.ts';
import { outlineOf, plainWords, type Outline } from './outline.ts';
import { rarityOf } from './rarity.ts';
import { Vocabulary } from './vocabulary.ts';

/** The content of a file of the index by its name; rejects when it cannot be had. */
export type SearchSource = (name: string) => Promise<string>;

/** A heading is a signpost from this share of the pages. */
const SIGNPOST_SHARE = 0.5;

export class SearchIndex {
  readonly sections: readonly KnownSection[];
  /** Labels of the top-level parts of the site by their keys, in the order of the sections. */
  readonly areas: ReadonlyMap<string, string>;
  readonly vocabulary = new Vocabulary();
  /** Headings that every other page has, such as "Where to go next": what stands there is about other pages. */
  readonly signposts: ReadonlySet<string>;
  readonly #source: SearchSource;
  readonly #letters: ReadonlySet<string>;
  readonly #outlines: Outline[] = [];
  readonly #plainWords: string[] = [];
  readonly #postings = new Map<string, ReadonlyMap<number, number>>();
  readonly #texts = new Map<number, TextFile>();
  readonly #firsts = new Map<number, number>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #read = new Set<string>();

  private constructor(head: HeadFile, source: SearchSource) {
    this.#source = source;
    this.#letters = new Set(head.letters);
    this.sections = sectionsOf(head);
    for (const { page, position } of this.sections) if (!this.#firsts.has(page)) this.#firsts.set(page, position);
    this.areas = areasOf(this.sections);
    this.signposts = signpostsOf(this.sections, head.pages.length);
  }

  static async open(source: SearchSource): Promise<SearchIndex> {
    return new SearchIndex(readHead(await source(HEAD_NAME)), source);
  }

  /** Whether the postings of all tokens are there. */
  hasTokens(tokens: readonly string[]): boolean {
    return this.#lettersOf(tokens).every((letter) => this.#read.has(postingsName(letter)));
  }

  /** Fetches the postings of all tokens that begin like these. */
  async loadTokens(tokens: readonly string[]): Promise<void> {
    const letters = this.#lettersOf(tokens);
    await Promise.all(letters.map((letter) => this.#once(postingsName(letter), (text) => this.#addPostings(text))));
  }

  /** Fetches all words of the site, with how many sections hold each. */
  loadWords(): Promise<void> {
    return this.#once(WORDS_NAME, (text) => {
      const { tokens, counts } = JSON.parse(text) as WordsFile;
      for (const [at, token] of tokens.entries()) this.vocabulary.set(token, counts[at] ?? 0);
    });
  }

  /** Fetches the texts of pages. */
  async loadTexts(pages: readonly number[]): Promise<void> {
    await Promise.all(
      pages.map((page) => this.#once(textName(page), (text) => this.#texts.set(page, JSON.parse(text) as TextFile))),
    );
  }

  /** The text of a section; its page's texts must have been loaded. */
  textOf({ page, position }: KnownSection): SectionText {
    const [prose, code] = this.#texts.get(page)?.[position - (this.#firsts.get(page) ?? 0)] ?? ['', []];
    return { prose, code };
  }

  /** Its heading and text in plain words, to find a phrase in; its page's texts must have been loaded. */
  plainWords(section: KnownSection): string {
    return (this.#plainWords[section.position] ??= plainWords(section.heading, this.textOf(section)));
  }

  outline(position: number): Outline {
    return (this.#outlines[position] ??= outlineOf(this.sections[position]!));
  }

  /** Sections that hold the token, by position, with how much they are about it (> 0). */
  holding(token: string): ReadonlyMap<number, number> {
    return this.#postings.get(token) ?? NOWHERE;
  }

  /** How much a token tells: large for rare ones, nearly 0 for one that stands everywhere. */
  rarity(sectionsHolding: number): number {
    return rarityOf(sectionsHolding, this.sections.length);
  }

  /** The letters with postings that these tokens begin with; no word of the site begins with another. */
  #lettersOf(tokens: readonly string[]): string[] {
    return [...new Set(tokens.filter((token) => token !== '').map(letterOf))].filter((one) => this.#letters.has(one));
  }

  #addPostings(text: string): void {
    for (const [token, packed] of Object.entries(JSON.parse(text) as PostingsFile)) {
      const scores = new Map<number, number>();
      let position = 0;
      for (let at = 0; at + 1 < packed.length; at += 2) {
        position += packed[at]!;
        scores.set(position, packed[at + 1]! / SCORE_SCALE);
      }
      this.#postings.set(token, scores);
      this.vocabulary.set(token, scores.size);
    }
  }

  /** Reads a file the first time it is asked for, and again after a failure. */
  #once(name: string, read: (text: string) => void): Promise<void> {
    const asked = this.#asked.get(name) ?? this.#fetch(name, read);
    this.#asked.set(name, asked);
    return asked;
  }

  async #fetch(name: string, read: (text: string) => void): Promise<void> {
    try {
      read(await this.#source(name));
      this.#read.add(name);
    } catch (error) {
      this.#asked.delete(name);
      throw error;
    }
  }
}

const NOWHERE: ReadonlyMap<number, number> = new Map();

/** Throws an Error with a sentence when the text is no head: it came over a network or from an old build. */
function readHead(text: string): HeadFile {
  const head: unknown = JSON.parse(text);
  const isHead = typeof head === 'object' && head !== null && 'pages' in head && Array.isArray(head.pages);
  if (!isHead) throw new Error('The head of the search index does not hold a list of pages.');
  return head as HeadFile;
}

function sectionsOf({ pages, trails, addresses }: HeadFile): KnownSection[] {
  const counts = new Map(addresses);
  let position = -1;
  return pages.flatMap(({ route, title, trail, tags, sections }, page) =>
    sections.map((section) => {
      const [slug, heading] = typeof section === 'string' ? [plainSlug(section), section] : section;
      position += 1;
      return {
        position,
        page,
        route,
        pageTitle: title,
        trail: trails[trail] ?? [],
        slug,
        heading: slug === '' ? title : heading,
        tags: slug === '' ? tags : [],
        addresses: counts.get(position) ?? 0,
      };
    }),
  );
}

function areasOf(sections: readonly KnownSection[]): Map<string, string> {
  const areas = new Map<string, string>();
  for (const section of sections) {
    const label = section.trail[0];
    if (label !== undefined && !areas.has(areaKey(section))) areas.set(areaKey(section), label);
  }
  return areas;
}

function signpostsOf(sections: readonly KnownSection[], pages: number): Set<string> {
  const counts = new Map<string, number>();
  for (const { heading, slug } of sections) if (slug !== '') counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > SIGNPOST_SHARE * pages).map(([heading]) => heading));
}

/** Which top-level part of the site a section belongs to: the first part of its address, empty for the home page. */
export function areaKey({ route }: Pick<KnownSection, 'route'>): string {
  return route.split('/')[1] ?? '';
}
