/**
 * All checks of the content graph that need the whole of it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ContentGraph } from '../content-graph.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import type { Problem } from '../problems.ts';
import { checkCanonicals, checkComponents } from './components.ts';
import type { KnownNames } from './components.ts';
import { readVocabulary } from '../vocabulary.ts';
import { checkLinks } from './links.ts';
import { checkVocabulary } from './vocabulary.ts';

/** Folder of files that are served as they are, below the repository. */
const PUBLIC_FOLDER = 'site/public';

/** What is wrong with the content, with the problems found while reading it. `root` is the repository. */
export function checkSite(
  root: string,
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
    ...checkLinks(graph, served),
    ...checkComponents(graph, names),
    ...checkCanonicals(graph),
    ...checkVocabulary(graph, readVocabulary()),
  ];
}
