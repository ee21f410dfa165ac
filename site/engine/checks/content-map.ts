/**
 * The routes are those of the map of the content, and beside them the extra pages: neither a page nor a route that leads
 * elsewhere goes away, or comes, by accident. Pages of the folder of the product are held to its menus by the page tree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentGraph } from '../content-graph.ts';
import { readCsv } from '../csv.ts';
import { EXTRA_PAGES_FILE, isOfFolder, readExtraPages } from '../extra-pages.ts';
import type { Problem } from '../problems.ts';

export const CONTENT_MAP_FILE = 'content/data/content-map.csv';

/** `root` is the repository, the graph that of its own pages. */
export function checkContentMap(root: string, { pages, tree }: ContentGraph): Problem[] {
  const text = (file: string): string => readFileSync(join(root, file), 'utf8');
  const map = text(CONTENT_MAP_FILE);
  const rows = readCsv(map).filter(({ route }) => route !== '');
  const extras = readExtraPages(root);
  const redirects = new Set(tree.redirects.map(({ from }) => from));
  const listed = new Set([...rows.map(({ route }) => route), ...extras.beside]);
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
    ...extras.beside
      .filter((route) => !pages.has(route))
      .map((route) => lacking(EXTRA_PAGES_FILE, lineOf(text(EXTRA_PAGES_FILE), `  - ${route}\n`), route)),
    ...[...pages.values()]
      .filter(({ page: { route } }) => !listed.has(route) && !isOfFolder(extras, route))
      .map(({ page }) => ({
        file: page.file,
        line: 1,
        message: `Neither ${CONTENT_MAP_FILE} nor ${EXTRA_PAGES_FILE} has ${page.route}; declare it in the second, or move it below ${extras.folder}, whose pages need no line.`,
      })),
    ...tree.redirects
      .filter(({ from }) => !listed.has(from))
      .map(({ from, to }) => ({
        file: CONTENT_MAP_FILE,
        line: 1,
        message: to.startsWith('/')
          ? `The folder ${from} has no page and is not in this map; give it an index.mdx, or add it here.`
          : `A menu has the route ${from}, which is not in this map; add it here, or take \`name\` from the menu.`,
      })),
  ];
}

/** From 1. */
function lineOf(text: string, beginning: string): number {
  return text.slice(0, `\n${text}\n`.indexOf(`\n${beginning}`)).split('\n').length;
}
