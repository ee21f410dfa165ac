/**
 * What the engine knows of the site: pages, menus, headings, links, sections. One pass over the
 * MDX fills these; checks, frame, search, Markdown twins and feeds read nothing else.
 */

/** What a page is for; index pages orient, references are complete tables. */
export type PageKind = 'index' | 'concept' | 'tutorial' | 'reference' | 'interactive' | 'notice';

/** The head of an MDX file, validated. */
export interface FrontMatter {
  readonly title: string;
  /** One sentence of 30–200 characters; search engines and llms.txt show it. */
  readonly description: string;
  /** BCP 47, e.g. `en-US`. */
  readonly lang: string;
  readonly kind: PageKind;
  readonly tags: readonly string[];
  /** The route that shows the same text and counts as the original. */
  readonly canonical?: string;
  /** ISO date of a notice; it then appears in the feed. */
  readonly date?: string;
}

export interface Heading {
  /** 1 is the title. The table of contents shows 2 and 3. */
  readonly depth: 1 | 2 | 3 | 4;
  readonly text: string;
  /** Unique within the page, as github-slugger makes it. */
  readonly slug: string;
  /** Line of the MDX file, from 1. */
  readonly line: number;
}

export interface Link {
  /** As written: `/route#anchor`, `#anchor`, or an address of another site. */
  readonly href: string;
  readonly line: number;
}

/** Words as they stand on the page, without code: one text of Markdown, or a title or label of a component. */
export interface PageText {
  readonly text: string;
  readonly line: number;
  /** Where it ends; `line` again for generated text, all of which stands where it is asked for. */
  readonly lastLine: number;
}

export interface CodeBlock {
  readonly lang: string;
  readonly text: string;
  readonly line: number;
  /** What stands after the language on the fence. */
  readonly meta: string;
}

/** What search finds: the text under one heading, up to the next. */
export interface Section {
  readonly route: string;
  readonly pageTitle: string;
  /** Menu labels from the top to the page's folder. */
  readonly trail: readonly string[];
  readonly heading: string;
  /** Empty for what stands before the first heading. */
  readonly slug: string;
  readonly prose: string;
  readonly code: readonly string[];
  /** Of the front matter; only in a page's first section, and so is `description`. */
  readonly tags?: readonly string[];
  readonly description?: string;
}

/** One MDX file, read once. */
export interface Page {
  /** `/` or `/a/b`, without a slash at the end. */
  readonly route: string;
  /** Path within the repository. */
  readonly file: string;
  readonly frontMatter: FrontMatter;
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly code: readonly CodeBlock[];
  readonly sections: readonly Section[];
  /** Words of prose, code not counted. */
  readonly words: number;
  /** The page as plain Markdown: its twin at `/route.md`. */
  readonly markdown: string;
}

/** A page of the menu without pages below it. */
export interface MdxPage {
  readonly type: 'page';
  readonly label: string;
  readonly route: string;
  /** Reachable, but in no menu and no reading order: home, 404, 500. */
  readonly hidden: boolean;
}

/** A folder of the menu; `route` when it has an index page of its own. */
export interface Folder {
  readonly type: 'folder';
  readonly label: string;
  readonly path: string;
  readonly route: string | null;
  /** The sidebar shows its children in its place (a separator above already names it). */
  readonly flat: boolean;
  /** Its pages have a reading order of their own. */
  readonly apart: boolean;
  readonly children: readonly PageTreeEntry[];
}

/** What a menu file adds: a link elsewhere, a heading (`label`) or a rule between groups (no label). */
export type Meta =
  | {
      readonly type: 'link';
      readonly label: string;
      /** What the address shows, for readers who hover or listen. */
      readonly title: string;
      readonly href: string;
      readonly newWindow: boolean;
      /** In the top bar instead of the sidebar. */
      readonly topBar: boolean;
      /** A route of ours that redirects there, e.g. `/faucet`. */
      readonly route: string | null;
    }
  | { readonly type: 'separator'; readonly label: string | null };

export type PageTreeEntry = MdxPage | Folder | Meta;
