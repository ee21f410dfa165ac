/**
 * What a search is asked and what it answers. The dialog draws it, the command line prints it as JSON,
 * the relevance test reads it: one shape, made by `find` only.
 */

export interface SearchRequest {
  readonly query: string;
  /** Key of a top-level part of the site, as in `SearchAnswer.areas`; absent for all of it. */
  readonly area?: string | undefined;
}

/** A run of text; marked where it is what was searched for. */
export interface Span {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A few words around what was found; `code` is one line of a code block. */
export interface Fragment {
  readonly kind: 'prose' | 'code';
  readonly spans: readonly Span[];
}

/** What a result is: a page, a section of one, or the name of something that can be called, set, watched or sent to. */
export type HitKind = 'page' | 'section' | 'method' | 'flag' | 'metric' | 'error' | 'alert' | 'address';

/** One section of a page that answers. */
export interface Hit {
  /** `/route#slug`, or `/route` for what stands before the first heading. */
  readonly href: string;
  readonly slug: string;
  readonly kind: HitKind;
  readonly heading: string;
  readonly headingSpans: readonly Span[];
  readonly fragment: Fragment | null;
  readonly score: number;
}

/** One page with its sections that answer, best first; at most `HITS_PER_PAGE`. */
export interface PageResult {
  /** From 1, in the order shown. */
  readonly rank: number;
  readonly route: string;
  /** Address of the best section: where Enter leads. */
  readonly href: string;
  readonly pageTitle: string;
  readonly titleSpans: readonly Span[];
  readonly trail: readonly string[];
  readonly score: number;
  readonly hits: readonly Hit[];
}

/** A top-level part of the site and how many pages of it answer. */
export interface Area {
  readonly key: string;
  readonly label: string;
  readonly pages: number;
}

/** A word that was read as other words, because the site does not have it as typed. */
export interface Respelling {
  readonly typed: string;
  readonly read: string;
}

export interface SearchAnswer {
  readonly query: string;
  readonly area: string | null;
  /**
   * `names` when only titles, headings and tags were looked at so far and the answer will follow; `exact` when the words
   * as typed were enough; `fuzzy` when words spelt nearly so were looked for, too.
   */
  readonly pass: 'names' | 'exact' | 'fuzzy';
  readonly respellings: readonly Respelling[];
  /** Pages that answer, in the chosen area; `results` holds the best of them. */
  readonly pages: number;
  /** Pages that answer, in the whole site: those of all areas and perhaps the home page. */
  readonly pagesEverywhere: number;
  readonly areas: readonly Area[];
  readonly results: readonly PageResult[];
}

export const RESULTS_MAX = 12;
export const HITS_PER_PAGE = 4;
/** Longer queries are cut: a pasted log is searched by its beginning. */
export const QUERY_LENGTH_MAX = 300;
/** At most so many words of a query are looked up. */
export const QUERY_WORDS_MAX = 24;
