/**
 * Renders every page to a document and writes it where its route is served: `/a/b` as
 * `a/b/index.html`, which every static host finds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageAssets, PageReference, FrameProps } from '../layout/frame-props.ts';
import type { PageRenderer } from './bundle.ts';
import { hasPlaces } from '../own-cluster/places.ts';
import { headingsByLetter } from './headings-by-letter.ts';
import type { ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import type { Page } from './page.ts';
import { readCodeMeta } from './mdx/code-meta.ts';
import type { CompiledPage } from './mdx/compile-page.ts';
import type { Problem } from './problems.ts';
import type { SiteSettings } from './settings.ts';

export interface RenderInput {
  readonly graph: ContentGraph;
  readonly settings: SiteSettings;
  readonly assets: Omit<PageAssets, 'socialImage'>;
  /** Absolute address of the card of a route; '' for none. */
  readonly socialImage: (route: string) => string;
  /** ISO dates by file. */
  readonly lastUpdated: ReadonlyMap<string, string>;
}

/** The document of a page. */
export function renderPage(renderer: PageRenderer, { page, code }: CompiledPage, input: RenderInput): Promise<string> {
  return renderer.renderDocument(code, propsOf(page, input));
}

export const SEARCH_ROUTE = '/search';

/** The page that search is without a script: no file of the content, for it is made of all of them. */
const SEARCH_PAGE: Page = {
  route: SEARCH_ROUTE,
  file: 'site/layout/SearchPage.tsx',
  frontMatter: {
    title: 'Search',
    description: 'Search of the documentation that works without scripts, and all titles and headings by letter.',
    lang: 'en-US',
    kind: 'index',
    tags: [],
  },
  headings: [],
  links: [],
  code: [],
  sections: [],
  words: 0,
  markdown: '',
};

/** The document of `/search`. */
function renderSearchPage(renderer: PageRenderer, input: RenderInput): Promise<string> {
  return renderer.renderSearchDocument(headingsByLetter(input.graph), propsOf(SEARCH_PAGE, input));
}

function propsOf(page: Page, input: RenderInput): Omit<FrameProps, 'children'> {
  const { graph, settings, assets } = input;
  const { readings, trails, entries } = graph.tree;
  const isHere = ({ route }: PageReference): boolean => route === page.route;
  const reading = readings.find((references) => references.some(isHere)) ?? [];
  const position = reading.findIndex(isHere);
  const canonical = page.frontMatter.canonical ?? page.route;
  return {
    settings,
    page,
    tree: entries,
    trail: trails.get(page.route) ?? [],
    previous: position > 0 ? (reading[position - 1] ?? null) : null,
    next: position < 0 ? null : (reading[position + 1] ?? null),
    lastUpdated: input.lastUpdated.get(page.file) ?? null,
    editUrl: `${settings.repository}/edit/${settings.branch}/${page.file}`,
    canonicalUrl: settings.address + canonical,
    namesServers: namesServers(page),
    assets: { ...assets, socialImage: input.socialImage(page.route) },
  };
}

function namesServers({ code, route }: Page): boolean {
  return hasPlaces(
    code.filter(({ meta }) => !readCodeMeta(meta).output).map(({ text }) => text),
    route,
  );
}

/** Writes all documents below `outDir`. A page that cannot be rendered is a problem, not an end. */
export async function prerenderSite(renderer: PageRenderer, outDir: string, input: RenderInput): Promise<Problem[]> {
  const problems: Problem[] = [];
  const documents = [...input.graph.pages.values()].map((compiled) => ({
    page: compiled.page,
    render: () => renderPage(renderer, compiled, input),
  }));
  documents.push({ page: SEARCH_PAGE, render: () => renderSearchPage(renderer, input) });
  for (const { page, render } of documents) {
    try {
      const html = await render();
      const file = join(outDir, htmlFileOf(page.route));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, html);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push({ file: page.file, line: 1, message: `This page cannot be rendered: ${reason}` });
    }
  }
  return problems;
}

/** Path of a route's document below the output folder. */
function htmlFileOf(route: string): string {
  return ERROR_ROUTES.has(route) ? `${route.slice(1)}.html` : join(route.slice(1), 'index.html');
}
