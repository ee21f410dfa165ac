/** What the index tells of a section: at once, and when its page's text has been fetched. */

/** What is known of a section without its text. */
export interface KnownSection {
  readonly position: number;
  /** Of its page, among the pages. */
  readonly page: number;
  readonly route: string;
  readonly pageTitle: string;
  readonly trail: readonly string[];
  /** The page's title for what stands before the first heading. */
  readonly heading: string;
  readonly slug: string;
  readonly tags: readonly string[];
  /** Addresses of contracts and accounts in it. */
  readonly addresses: number;
}

export interface SectionText {
  readonly prose: string;
  readonly code: readonly string[];
}
