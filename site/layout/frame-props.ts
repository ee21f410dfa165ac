/**
 * What the engine hands to the frame of a page, and to the components that it puts into pages by
 * itself (code blocks, diagrams). The frame is rendered once per page, at build time, without hooks
 * that need a browser; whatever moves is a plain script (site/page) or an island.
 */
import type { ReactNode } from 'react';
import type { Page, PageTreeEntry } from '../engine/page.ts';
import type { SiteSettings } from '../engine/settings.ts';

/** A step of the way from the top of the menu to the page. */
export interface TrailStep {
  readonly label: string;
  /** null for a folder without a page of its own. */
  readonly route: string | null;
}

export interface PageReference {
  readonly route: string;
  /** The menu's label. */
  readonly label: string;
}

/** Addresses of built files, absolute paths with a hash; texts of inline scripts, allowed by their hash. */
export interface PageAssets {
  readonly styles: readonly string[];
  /** Module scripts, in order. */
  readonly scripts: readonly string[];
  /** All faces; the frame preloads two of them. */
  readonly fonts: readonly string[];
  /** For `<script>` in the head, before anything is painted: site/page/boot.ts, minified. */
  readonly bootScript: string;
  /** For `<script type="speculationrules">`; empty while authoring. */
  readonly speculationRules: string;
  /** Address of the head of the search index; its other files are beside it. */
  readonly searchIndex: string;
  /** For `<meta http-equiv="Content-Security-Policy">`; empty while authoring. */
  readonly contentSecurityPolicy: string;
  /** Address of the picture for social cards, absolute with origin; empty when none was made. */
  readonly socialImage: string;
}

export interface FrameProps {
  readonly settings: SiteSettings;
  readonly page: Page;
  readonly tree: readonly PageTreeEntry[];
  /** From the top to the page's folder; the page itself is not in it. */
  readonly trail: readonly TrailStep[];
  readonly previous: PageReference | null;
  readonly next: PageReference | null;
  /** ISO date of the last commit that touched the file; null when unknown. */
  readonly lastUpdated: string | null;
  readonly editUrl: string;
  /** The canonical address of the text, with origin. */
  readonly canonicalUrl: string;
  /** Whether commands of the page name servers that may be the reader's (site/own-cluster). */
  readonly namesServers: boolean;
  readonly assets: PageAssets;
  readonly children: ReactNode;
}

/** Every fence becomes `<CodeBlock>`; inline code stays `<code>`. */
export interface CodeBlockProps {
  readonly lang: string;
  /** File name, when the fence has `title="…"`. */
  readonly title?: string;
  /** What the command before it printed. */
  readonly output?: boolean;
  /** Lines are typed at a shell; the prompt sign is drawn by CSS, not part of the text. */
  readonly prompt?: boolean;
  /**
   * Highlighted HTML for inside `<code>`: one `<span class="line">` per line (`line marked` when
   * highlighted), each ending in a line feed, tokens as `<span class="sx-…">`.
   */
  readonly html: string;
}

/** A ```mermaid fence becomes `<Diagram>`. */
export interface DiagramProps {
  /**
   * A complete `<svg role="img">` without style elements or attributes, and after it what takes its place in a narrow
   * column, if anything: another, or a list. Colours are the custom properties --diagram-text, -text-muted,
   * -node-stroke and -bg, which Diagram.module.css sets from tokens.
   */
  readonly svg: string;
  readonly title: string;
  readonly description: string;
}

/** A step as the engine hands it on: the slug is made from the title, the level from what stands above. */
export interface StepProps {
  readonly title: string;
  readonly slug: string;
  /** Level of its heading, 2–4: one below the heading above the steps. */
  readonly level?: string;
  readonly children: ReactNode;
}
