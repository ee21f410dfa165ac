/** The pages beside the map of the content, as content/data/extra-pages.yaml declares them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const EXTRA_PAGES_FILE = 'content/data/extra-pages.yaml';

export interface ExtraPages {
  /** Heading of their part of the menu. */
  readonly section: string;
  /** Route of the folder that holds them all, itself a page. */
  readonly folder: string;
  /** Route of the folder of decision records, which are pages without being listed one by one. */
  readonly records: string;
  /** Routes. */
  readonly pages: readonly string[];
  /** Routes outside of the folder: subjects newer than the map, in the menus beside what they belong to. */
  readonly beside: readonly string[];
}

/** `root` is the repository. Throws when a page is declared twice or outside the folder. */
export function readExtraPages(root: string): ExtraPages {
  const extras: ExtraPages = parse(readFileSync(join(root, EXTRA_PAGES_FILE), 'utf8'));
  const { folder, pages, beside } = extras;
  const stray = pages.find(
    (route, index) => pages.indexOf(route) !== index || (route !== folder && !route.startsWith(`${folder}/`)),
  );
  if (stray !== undefined) throw new Error(`${stray} is declared twice or lies outside ${folder}`);
  const inside = beside.find((route, index) => beside.indexOf(route) !== index || route.startsWith(`${folder}/`));
  if (inside !== undefined) throw new Error(`${inside} is declared twice or lies in ${folder}`);
  return extras;
}
