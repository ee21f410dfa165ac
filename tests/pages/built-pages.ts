/**
 * The pages as the build leaves them, generated text and all: what their headings are called in addresses, where they
 * link to, and how many words they have. For tests of the content as a whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_ROUTES } from '../../site/engine/error-routes.ts';
import { readPageHead } from '../../site/engine/front-matter.ts';
import type { PageKind } from '../../site/engine/page.ts';

export interface BuiltPage {
  readonly route: string;
  readonly kind: PageKind;
  /** Anchors of the headings below the title. */
  readonly headings: ReadonlySet<string>;
  /** Routes that its text links to, without anchors. */
  readonly links: ReadonlySet<string>;
  readonly words: number;
}

/** By route, without the pages of errors. `pages` has the MDX, `built` is the folder of the built site. */
export function readBuiltPages(pages: string, built: string): Map<string, BuiltPage> {
  return new Map(
    Array.from(filesByRoute(pages), ([route, file]) => {
      const { frontMatter } = readPageHead(file, readFileSync(join(pages, file), 'utf8'));
      const document = readFileSync(join(built, route, 'index.html'), 'utf8');
      const twin = readFileSync(join(built, route === '/' ? 'index.md' : `${route}.md`), 'utf8');
      const headings = new Set(Array.from(document.matchAll(/<h[2-4][^>]* id="([^"]+)"/g), ([, id]) => id ?? ''));
      return [route, { route, kind: frontMatter.kind, headings, links: linksOf(twin), words: wordsOf(twin) }];
    }),
  );
}

/** The MDX files of a folder, from there, by the route of their page; those of errors are left out. */
export function filesByRoute(pages: string): Map<string, string> {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mdx'));
  const routes = files.map((file) => [`/${file.replace(/(?:^|\/)index\.mdx$|\.mdx$/, '')}`, file] as const);
  return new Map(routes.filter(([route]) => !ERROR_ROUTES.has(route)));
}

/** Routes that Markdown links to. */
export function linksOf(markdown: string): Set<string> {
  return new Set(Array.from(markdown.matchAll(/\]\((\/[^)#\s]*)/g), ([, route]) => route ?? ''));
}

/** Words of the prose, the title's among them. */
export function wordsOf(markdown: string): number {
  const prose = markdown
    .replaceAll(/^ *(`{3,})[^]*?^ *\1$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/https?:\S+/g, '');
  return prose.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}’'._-]*/gu)?.length ?? 0;
}
