/**
 * The pages beside the map of the content: all that the menus have below one folder, and those that
 * content/data/extra-pages.yaml declares.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const EXTRA_PAGES_FILE = 'content/data/extra-pages.yaml';

export interface ExtraPages {
  /** Heading of their part of the menu. */
  readonly section: string;
  /** Route of the folder whose menus say which pages there are; itself a page. */
  readonly folder: string;
  /** Route of the folder of decision records, which need no questions; it lies below `folder`. */
  readonly records: string;
  /** Routes outside of the folder: subjects newer than the map, in the menus beside what they belong to. */
  readonly beside: readonly string[];
}

/** `root` is the repository. Throws when a page is declared twice, or lies in the folder, where it need not be. */
export function readExtraPages(root: string): ExtraPages {
  const extras: ExtraPages = parse(readFileSync(join(root, EXTRA_PAGES_FILE), 'utf8'));
  const { beside } = extras;
  const needless = beside.find((route, index) => beside.indexOf(route) !== index || isOfFolder(extras, route));
  if (needless !== undefined) throw new Error(`${needless} is declared twice or lies in ${extras.folder}`);
  return extras;
}

/** Whether a route is the folder's or one below it. */
export function isOfFolder({ folder }: Pick<ExtraPages, 'folder'>, route: string): boolean {
  return route === folder || route.startsWith(`${folder}/`);
}
