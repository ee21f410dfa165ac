/**
 * All checks of the content graph that need the whole of it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ContentFolder, ContentGraph } from '../content-graph.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import type { Problem } from '../problems.ts';
import { checkCanonicals, checkComponents, type KnownNames } from './components.ts';
import type { SiteSettings } from '../settings.ts';
import { readVocabulary } from '../vocabulary.ts';
import { checkContentMap } from './content-map.ts';
import { checkLinks } from './links.ts';
import { checkVocabulary } from './vocabulary.ts';

/** Folder of files that are served as they are, below the repository. */
const PUBLIC_FOLDER = 'site/public';

/** The folder of the pages that the content map is of; others have none. */
const MAPPED_PAGES = 'content/pages';

export interface CheckedSite extends ContentFolder {
  readonly settings: Pick<SiteSettings, 'address'>;
}

/** What is wrong with the content, with the problems found while reading it. */
export function checkSite(
  { root, pages, settings }: CheckedSite,
  graph: ContentGraph,
  names: KnownNames,
  files: readonly OutputFile[],
): Problem[] {
  const folder = join(root, PUBLIC_FOLDER);
  const published = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const paths = [...published.map((path) => path.split(sep).join('/')), ...files.map(({ path }) => path)];
  const served = new Set(paths.map((path) => `/${path}`));
  return [
    ...graph.problems,
    ...(pages === join(root, MAPPED_PAGES) ? checkContentMap(root, graph) : []),
    ...checkLinks(graph, served, settings.address),
    ...checkComponents(graph, names),
    ...checkCanonicals(graph),
    ...checkVocabulary(graph, readVocabulary()),
  ];
}
