/**
 * Everything beside the documents that is made from the content graph: small texts, each the work of
 * one module of this folder.
 */
import type { ContentGraph } from '../content-graph.ts';
import { ERROR_ROUTES } from '../error-routes.ts';
import type { Page } from '../page.ts';
import type { SiteSettings } from '../settings.ts';

export interface OutputFile {
  /** Path below the output folder, without a slash at the beginning. */
  readonly path: string;
  readonly text: string;
}

export interface OutputInput {
  readonly graph: ContentGraph;
  readonly settings: SiteSettings;
  /** ISO days by file. */
  readonly lastUpdated: ReadonlyMap<string, string>;
}

/** Pages that are listed for readers and programs, in reading order; home first, errors left out. */
export function listedPages(graph: ContentGraph): Page[] {
  const order = new Map(graph.tree.readings.flat().map(({ route }, index) => [route, index]));
  return [...graph.pages.values()]
    .map(({ page }) => page)
    .filter(({ route }) => !ERROR_ROUTES.has(route))
    .sort((a, b) => (order.get(a.route) ?? -1) - (order.get(b.route) ?? -1));
}

/** Where the Markdown of a route is served. */
export function twinPath(route: string): string {
  return route === '/' ? '/index.md' : `${route}.md`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
