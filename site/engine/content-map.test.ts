import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkSite } from './checks/check-site.ts';
import { CONTENT_MAP_FILE } from './checks/content-map.ts';
import { readContentGraph } from './content-graph.ts';
import type { ContentGraph } from './content-graph.ts';
import { readPageHead } from './front-matter.ts';
import type { CompiledPage, PageCompiler } from './mdx/compile-page.ts';
import type { Folder, PageTreeEntry } from './page.ts';
import type { Problem } from './problems.ts';
import { readCsv } from './csv.ts';
import { EXTRA_PAGES_FILE, isOfFolder, readExtraPages } from './extra-pages.ts';

const root = join(import.meta.dirname, '..', '..');
const mapFile = process.env['CONTENT_MAP'] ?? join(root, CONTENT_MAP_FILE);
const rows = readCsv(readFileSync(mapFile, 'utf8'));
const extras = readExtraPages(root);
const pageRows = rows.filter((row) => row['kind'] === 'page');

/** Titles, kinds and menus are looked at, and nothing of the text. */
const readHead: PageCompiler = ({ file, route, text }) => {
  const { frontMatter, problems } = readPageHead(file, text);
  const body = { headings: [], links: [], code: [], sections: [], words: 0, markdown: '' };
  const nothing = { components: [], texts: [], images: [], anchors: new Set<string>(), code: [] };
  return Promise.resolve({ page: { route, file, frontMatter, ...body }, ...nothing, isRead: true, problems });
};

/** What the build would say of the graph. */
function problemsOf(graph: ContentGraph, pages = join(root, 'content/pages')): Problem[] {
  const site = { root, pages, settings: { address: 'https://docs.example.org' } };
  return checkSite(site, graph, { components: [], islands: [], figures: [] }, []);
}

/** A rule, a heading, a folder. */
const EXTRA_ENTRIES = 3;
/** Pages newer than the map stand in its menus. */
const isBeside = (entry: unknown): boolean => extras.beside.includes((entry as { route?: string }).route ?? '');

/** What the map says of a menu entry, without its order. */
function describeEntry(entry: PageTreeEntry, parent: string): unknown[] {
  if (entry.type === 'separator') return [{ kind: 'separator', parent, label: entry.label ?? '' }];
  if (entry.type === 'link') {
    const { route, label, href, newWindow, topBar } = entry;
    return [{ kind: 'external', parent, label, route, href, newWindow, display: topBar ? 'navbar' : 'listed' }];
  }
  if (entry.type === 'page') {
    return [
      { kind: 'page', parent, label: entry.label, route: entry.route, display: entry.hidden ? 'hidden' : 'listed' },
    ];
  }
  const { label, path, route, flat, children } = entry;
  const itself = {
    kind: route === null ? 'folder' : 'page',
    parent,
    label,
    route: path,
    display: flat ? 'children' : 'listed',
  };
  return [itself, ...children.flatMap((child) => describeEntry(child, path))];
}

/** Pages that the old menus did not list were shown after the listed ones. */
function describeRow(row: Record<string, string>): unknown {
  const { kind = '', menu_parent = '', menu_label: label = '', route = '', href = '' } = row;
  const parent = menu_parent === '/' ? '' : menu_parent;
  if (kind === 'separator') return { kind, parent, label };
  const display = row['display']?.startsWith('unlisted') === true ? 'listed' : row['display'];
  if (kind === 'external') return { kind, parent, label, route, href, newWindow: row['new_window'] === 'yes', display };
  return { kind, parent, label, route, display };
}

describe('the map of the content', () => {
  let graph: ContentGraph;
  beforeAll(async () => {
    graph = await readContentGraph({ root, pages: join(root, 'content/pages') }, readHead);
  });

  it('has pages in it', () => {
    expect(pageRows.length).toBeGreaterThan(150);
  });

  it('has exactly our routes, and beside them the pages that are declared as extra', () => {
    expect(problemsOf(graph)).toEqual([]);
    const mapped = pageRows.map((row) => row['route'] ?? '');
    expect(extras.beside.filter((route) => mapped.includes(route))).toEqual([]);
    expect(mapped.filter((route) => isOfFolder(extras, route))).toEqual([]);
  });

  it('leaves it to the menus which pages the folder of the product has', () => {
    const pages = [...graph.pages.keys()].filter((route) => isOfFolder(extras, route));
    const [, ...readings] = graph.tree.readings;
    expect(
      readings
        .flat()
        .map(({ route }) => route)
        .toSorted(),
    ).toEqual(pages.toSorted());
    expect(pages).toContain(extras.records);
  });

  it('is held to by the check of the site: what went away and what came is named with its place', () => {
    const pages = new Map(graph.pages);
    for (const gone of ['/stack/getting-started', '/stack/interop/supernode']) pages.delete(gone);
    const home = graph.pages.get('/') as CompiledPage;
    for (const route of ['/new', `${extras.folder}/new`])
      pages.set(route, { ...home, page: { ...home.page, route, file: `content/pages${route}.mdx` } });
    const redirects = graph.tree.redirects.filter(({ from }) => from !== '/faucet');
    const added = [
      { from: '/elsewhere', to: 'https://example.org/' },
      { from: `${extras.folder}/parts`, to: `${extras.folder}/parts/first` },
    ];
    const tree = { ...graph.tree, redirects: [...redirects, ...added] };
    const lineOf = (file: string, text: RegExp): number =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .findIndex((line) => text.test(line)) + 1;
    const places = problemsOf({ ...graph, pages, tree }).map(({ file, line, message }) => [
      `${file}:${line}`,
      /\/[\w/-]+/.exec(message.replace(/^Neither .* has/, ''))?.[0],
    ]);
    expect(places).toEqual([
      [`${CONTENT_MAP_FILE}:${lineOf(CONTENT_MAP_FILE, /^\/faucet,/)}`, '/faucet'],
      [`${CONTENT_MAP_FILE}:${lineOf(CONTENT_MAP_FILE, /^\/stack\/getting-started,/)}`, '/stack/getting-started'],
      [`${EXTRA_PAGES_FILE}:${lineOf(EXTRA_PAGES_FILE, /- \/stack\/interop\/supernode$/)}`, '/stack/interop/supernode'],
      ['content/pages/new.mdx:1', '/new'],
      [`${CONTENT_MAP_FILE}:1`, '/elsewhere'],
      [`${CONTENT_MAP_FILE}:1`, '/conductor/parts'],
    ]);
  });

  it('is of no other pages', () => {
    const none = { ...graph, pages: new Map() };
    expect(problemsOf(none, join(root, 'site/engine/testdata/small'))).toEqual([]);
  });

  it.each(pageRows.map((row) => [row['route'] ?? '', row] as const))('knows title and kind of %s', (route, row) => {
    const page = graph.pages.get(route)?.page;
    expect([page?.frontMatter.title, page?.frontMatter.kind]).toEqual([row['title'], row['page_kind']]);
  });

  it('has our menus: labels, order, links elsewhere, separators', () => {
    const ordered = rows.toSorted((a, b) => Number(a['menu_order']) - Number(b['menu_order']));
    const mapped = graph.tree.entries.slice(0, -EXTRA_ENTRIES);
    const described = mapped.flatMap((entry) => describeEntry(entry, ''));
    expect(described.filter((entry) => !isBeside(entry))).toEqual(ordered.map(describeRow));
  });

  it('has the menu of the extra pages below all others, with a heading of its own', () => {
    const [rule, heading, folder] = graph.tree.entries.slice(-EXTRA_ENTRIES);
    expect(rule).toEqual({ type: 'separator', label: null });
    expect(heading).toEqual({ type: 'separator', label: extras.section });
    expect(folder).toMatchObject({ type: 'folder', path: extras.folder, apart: true });
  });

  it('has our reading order', () => {
    const [whole = []] = graph.tree.readings;
    const order = whole.filter((entry) => !isBeside(entry));
    const neighbours = new Map(
      order.map(({ route }, index) => [route, [order[index - 1]?.route ?? '', order[index + 1]?.route ?? '']]),
    );
    for (const { route = '', prev, next } of pageRows) {
      expect(neighbours.get(route) ?? ['', ''], route).toEqual([prev, next]);
    }
  });

  it('has our routes that lead elsewhere, and sends folders without a page to their first one', () => {
    const folders = rows.filter((row) => row['kind'] === 'folder').map((row) => row['route']);
    const external = rows.filter((row) => row['kind'] === 'external').map((row) => [row['route'], row['href']]);
    const { redirects } = graph.tree;
    expect(redirects.filter(({ to }) => !to.startsWith('/')).map(({ from, to }) => [from, to])).toEqual(
      expect.arrayContaining(external),
    );
    expect(redirects.filter(({ to }) => to.startsWith('/')).map(({ from }) => from)).toEqual(folders);
    expect(redirects).toHaveLength(folders.length + external.length);
    for (const { from, to } of redirects.filter((redirect) => folders.includes(redirect.from))) {
      expect(to.startsWith(`${from}/`) && graph.pages.has(to), from).toBe(true);
    }
  });

  it('leads from every page up through the folders it lies in', () => {
    const labels = new Map<string, string>();
    const collect = (entries: readonly PageTreeEntry[]): void => {
      for (const folder of entries.filter((entry): entry is Folder => entry.type === 'folder')) {
        labels.set(folder.path, folder.label);
        collect(folder.children);
      }
    };
    collect(graph.tree.entries);
    for (const [route, trail] of graph.tree.trails) {
      const above = route
        .split('/')
        .slice(1, -1)
        .map((_, index, parts) => `/${parts.slice(0, index + 1).join('/')}`);
      expect(
        trail.map(({ label }) => label),
        route,
      ).toEqual(above.map((path) => labels.get(path)));
    }
  });
});
