/**
 * The menus of all folders together are the page tree. The sidebar, the way to a page, the reading
 * order and the routes that lead elsewhere come from it.
 */
import type { PageReference, TrailStep } from '../layout/frame-props.ts';
import type { Menu, MenuEntry } from './menu.ts';
import type { Folder, PageTreeEntry } from './page.ts';
import type { Problem } from './problems.ts';

export interface Redirect {
  readonly from: string;
  /** A route, or an address of another site. */
  readonly to: string;
}

export interface PageTree {
  readonly entries: readonly PageTreeEntry[];
  /** Pages in reading order: depth first, hidden ones left out. First those of the whole, then those of each folder apart. */
  readonly readings: readonly (readonly PageReference[])[];
  /** By route: the folders above. */
  readonly trails: ReadonlyMap<string, readonly TrailStep[]>;
  readonly redirects: readonly Redirect[];
  readonly problems: readonly Problem[];
}

interface Sources {
  /** By the folder's path: '' for the top, else `/builders/tools`. */
  readonly menus: ReadonlyMap<string, Menu>;
  /** File by route. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Puts the menus together and says what does not fit. */
export function buildPageTree(sources: Sources): PageTree {
  const problems: Problem[] = [...sources.menus.values()].flatMap((menu) => menu.problems);
  const placed = new Set<string>();
  const entries = readFolder('', { ...sources, placed, problems });
  const brokenFolders = [...sources.menus].filter(([, menu]) => menu.problems.length > 0).map(([path]) => path);
  for (const [route, file] of sources.pages) {
    const isCovered = placed.has(route) || brokenFolders.some((folder) => route.startsWith(`${folder}/`));
    if (!isCovered)
      problems.push({ file, line: 1, message: `No menu lists this page; add it to ${menuBeside(file)}.` });
  }
  const trails = new Map<string, readonly TrailStep[]>();
  const redirects: Redirect[] = [];
  const found: Found = { readings: [], trails, redirects };
  walk(entries, [], newReading(found), found);
  return { entries, readings: found.readings, trails, redirects, problems };
}

interface Reading extends Sources {
  readonly placed: Set<string>;
  readonly problems: Problem[];
}

function readFolder(path: string, reading: Reading): PageTreeEntry[] {
  const menu = reading.menus.get(path);
  return (menu?.entries ?? []).flatMap((entry) => readEntry(path, menu?.file ?? '', entry, reading) ?? []);
}

function readEntry(path: string, file: string, entry: MenuEntry, reading: Reading): PageTreeEntry | null {
  const complain = (message: string): null => {
    reading.problems.push({ file, line: entry.line, message });
    return null;
  };
  const label = entry.label ?? '';
  if (entry.link !== undefined) {
    const route = entry.name === undefined ? null : `${path}/${entry.name}`;
    if (route !== null && reading.pages.has(route))
      return complain(`${route} is a page and cannot lead to ${entry.link}, too.`);
    const { link: href, title = label, newWindow = false, topBar = false } = entry;
    return { type: 'link', label, title, href, newWindow, topBar, route };
  }
  const name = entry.page ?? entry.folder;
  if (name === undefined) return { type: 'separator', label: entry.separator ?? null };
  const route = path === '' && name === 'index' ? '/' : `${path}/${name}`;
  if (path !== '' && name === 'index') {
    return complain(
      `index is the page of the folder itself; the menu above lists it with \`folder: ${path.slice(path.lastIndexOf('/') + 1)}\`.`,
    );
  }
  if (reading.placed.has(route)) return complain(`${name} is in the menu twice.`);
  reading.placed.add(route);
  const hasPage = reading.pages.has(route);
  if (entry.folder === undefined) {
    if (reading.menus.has(route)) return complain(`${name} is a folder; write \`folder: ${name}\`.`);
    return hasPage
      ? { type: 'page', label, route, hidden: entry.hidden ?? false }
      : complain(`There is no page ${name}.mdx beside this menu.`);
  }
  if (!reading.menus.has(route)) return complain(`There is no folder ${name} with a menu.yaml beside this menu.`);
  const children = readFolder(route, reading);
  return {
    type: 'folder',
    label,
    path: route,
    route: hasPage ? route : null,
    flat: entry.display === 'children',
    apart: entry.apart ?? false,
    children,
  };
}

interface Found {
  readonly readings: PageReference[][];
  readonly trails: Map<string, readonly TrailStep[]>;
  readonly redirects: Redirect[];
}

function newReading({ readings }: Found): PageReference[] {
  const reading: PageReference[] = [];
  readings.push(reading);
  return reading;
}

function walk(
  entries: readonly PageTreeEntry[],
  trail: readonly TrailStep[],
  reading: PageReference[],
  found: Found,
): void {
  for (const entry of entries) {
    if (entry.type === 'page') {
      found.trails.set(entry.route, trail);
      if (!entry.hidden) reading.push({ route: entry.route, label: entry.label });
    } else if (entry.type === 'folder') {
      walkFolder(entry, trail, entry.apart ? newReading(found) : reading, found);
    } else if (entry.type === 'link' && entry.route !== null) {
      found.redirects.push({ from: entry.route, to: entry.href });
    }
  }
}

function walkFolder(folder: Folder, trail: readonly TrailStep[], reading: PageReference[], found: Found): void {
  const { label, route, path } = folder;
  if (route !== null) {
    found.trails.set(route, trail);
    reading.push({ route, label });
  }
  const before = reading.length;
  walk(folder.children, [...trail, { label, route }], reading, found);
  const first = reading[before];
  if (route === null && first !== undefined) found.redirects.push({ from: path, to: first.route });
}

function menuBeside(file: string): string {
  const isIndex = file.endsWith('/index.mdx');
  const folder = file.slice(0, file.lastIndexOf('/'));
  return `${isIndex ? folder.slice(0, folder.lastIndexOf('/')) : folder}/menu.yaml`;
}
