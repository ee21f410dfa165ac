/**
 * The routes are those of the map of the content, and beside them the pages that are declared as extra: neither a page
 * nor a route that leads elsewhere goes away, or comes, by accident.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentGraph } from '../content-graph.ts';
import { readCsv } from '../csv.ts';
import { EXTRA_PAGES_FILE, readExtraPages } from '../extra-pages.ts';
import type { Problem } from '../problems.ts';

export const CONTENT_MAP_FILE = 'content/data/content-map.csv';

/** `root` is the repository, the graph that of its own pages. */
export function checkContentMap(root: string, { pages, tree }: ContentGraph): Problem[] {
  const text = (file: string): string => readFileSync(join(root, file), 'utf8');
  const map = text(CONTENT_MAP_FILE);
  const rows = readCsv(map).filter(({ route }) => route !== '');
  const extras = readExtraPages(root);
  const redirects = new Set(tree.redirects.map(({ from }) => from));
  const listed = new Set([...rows.map(({ route }) => route), ...extras.pages, ...extras.beside]);
  const isListed = (route: string): boolean => listed.has(route) || route.startsWith(`${extras.records}/`);
  const lacking = (file: string, line: number, route: string): Problem => ({
    file,
    line,
    message: `There is no ${route}, which stands here; bring it back, or take this line out.`,
  });
  return [
    ...rows.flatMap(({ route = '', kind }) =>
      (kind === 'page' ? pages : redirects).has(route)
        ? []
        : [lacking(CONTENT_MAP_FILE, lineOf(map, `${route},`), route)],
    ),
    ...[...extras.pages, ...extras.beside]
      .filter((route) => !pages.has(route))
      .map((route) => lacking(EXTRA_PAGES_FILE, lineOf(text(EXTRA_PAGES_FILE), `  - ${route}\n`), route)),
    ...[...pages.values()]
      .filter(({ page }) => !isListed(page.route))
      .map(({ page }) => ({
        file: page.file,
        line: 1,
        message: `Neither ${CONTENT_MAP_FILE} nor ${EXTRA_PAGES_FILE} has ${page.route}; a page of this product is declared in the second.`,
      })),
    ...[...redirects]
      .filter((route) => !isListed(route))
      .map((route) => ({
        file: CONTENT_MAP_FILE,
        line: 1,
        message: `A menu has the route ${route}, which is not in this map; add it here, or take \`name\` from the menu.`,
      })),
  ];
}

/** From 1. */
function lineOf(text: string, beginning: string): number {
  return text.slice(0, `\n${text}\n`.indexOf(`\n${beginning}`)).split('\n').length;
}
