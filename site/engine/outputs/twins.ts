/**
 * A Markdown twin beside every page, pages of errors too, and for language models: llms.txt lists them
 * under the headings of the menu (https://llmstxt.org), llms-full.txt holds their text.
 */
import type { Page, PageTreeEntry } from '../page.ts';
import { listedPages, twinPath, type OutputFile, type OutputInput } from './output-file.ts';

/** `markdown` is a page's body, complete. */
export function twinFiles(input: OutputInput, markdown: (page: Page) => string): OutputFile[] {
  const pages = listedPages(input.graph);
  const everyPage = [...input.graph.pages.values()].map(({ page }) => page);
  const twins = everyPage.map((page) => ({ path: twinPath(page.route).slice(1), text: markdown(page) }));
  const { settings } = input;
  const head = `# ${settings.name}\n\n> ${settings.description}\n`;
  const full = pages.map((page) => `---\nSource: ${settings.address}${page.route}\n---\n\n${markdown(page)}`);
  return [
    ...twins,
    { path: 'llms.txt', text: `${head}\n${forTools(settings.address)}\n${listing(input, pages)}` },
    { path: 'llms-full.txt', text: `${head}\n${full.join('\n')}` },
  ];
}

/** What infra/edge answers; on a host that serves files alone there are only the pages below. */
function forTools(address: string): string {
  return `Tools can ask this site by the Model Context Protocol: ${address}/mcp (streamable HTTP, no sign-in) has \`search\` and \`read_page\`. Without it, ${address}/search?q=words is answered in Markdown where \`Accept\` prefers text/markdown, and so is the address of every page.\n`;
}

interface Group {
  readonly heading: string;
  readonly routes: string[];
}

function listing({ graph, settings }: OutputInput, pages: readonly Page[]): string {
  const byRoute = new Map(pages.map((page) => [page.route, page]));
  const line = ({ route, frontMatter }: Page): string =>
    `- [${frontMatter.title}](${settings.address}${twinPath(route)}): ${frontMatter.description}`;
  return groups(graph.tree.entries)
    .map(({ heading, routes }) => ({ heading, lines: routes.flatMap((route) => byRoute.get(route) ?? []).map(line) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => `## ${heading}\n\n${lines.join('\n')}\n`)
    .join('\n');
}

/** Routes under the separators of the top menu. */
function groups(entries: readonly PageTreeEntry[]): Group[] {
  const found: Group[] = [{ heading: 'Start', routes: [] }];
  for (const entry of entries) {
    if (entry.type === 'separator' && entry.label !== null)
      found.push({ heading: capitalised(entry.label), routes: [] });
    else found.at(-1)?.routes.push(...routesOf(entry));
  }
  return found;
}

function routesOf(entry: PageTreeEntry): string[] {
  if (entry.type === 'page') return [entry.route];
  return entry.type === 'folder'
    ? [...(entry.route === null ? [] : [entry.route]), ...entry.children.flatMap(routesOf)]
    : [];
}

/** `OP STACK` → `OP Stack`: words of three letters and more are names, not initials. */
function capitalised(label: string): string {
  return label.replaceAll(/\p{Lu}{3,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}
