/**
 * The areas of the site, which the tabs below the bar lead to: each folder that the menu at the top shows in place of
 * itself is one, and where it holds nothing but folders, each of these.
 */
import type { Folder, PageTreeEntry } from '../engine/page.ts';

export interface Area {
  readonly label: string;
  /** What the routes of its pages begin with. */
  readonly path: string;
  /** Its first page: the index, where it has one. */
  readonly first: string;
  readonly folder: Folder;
}

export function areasOf(tree: readonly PageTreeEntry[]): readonly Area[] {
  return tree
    .filter((entry) => entry.type === 'folder')
    .flatMap((folder) => (isMereFolders(folder) ? (folder.children as readonly Folder[]) : [folder]))
    .flatMap((folder) => {
      const first = firstRoute(folder);
      return first === null ? [] : [{ label: nameOf(folder.label), path: folder.path, first, folder }];
    });
}

/** The area that a page is in; null for pages apart. */
export function areaOf(areas: readonly Area[], route: string): Area | null {
  return areas.find(({ path }) => route === path || route.startsWith(`${path}/`)) ?? null;
}

/** What the menu adds in brackets is for those who look for a file of that name. */
export function nameOf(label: string): string {
  return label.replace(/ \([^)]*\)$/, '');
}

function isMereFolders({ flat, children }: Folder): boolean {
  return flat && children.every(({ type }) => type === 'folder');
}

function firstRoute(entry: PageTreeEntry): string | null {
  if (entry.type === 'page') return entry.hidden ? null : entry.route;
  if (entry.type !== 'folder') return null;
  if (entry.route !== null) return entry.route;
  for (const child of entry.children) {
    const route = firstRoute(child);
    if (route !== null) return route;
  }
  return null;
}
