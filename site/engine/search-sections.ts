/**
 * What search is given of the content: all sections of all pages, the pages about errors apart, in reading order,
 * which also orders the parts of the site to filter by; pages that no menu shows come last.
 */
import { indexFiles } from '../search/index-files.ts';
import type { ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import type { Section } from './page.ts';

function searchSectionsOf({ pages, tree }: ContentGraph): Section[] {
  const order = tree.readings.flat();
  const places = new Map(order.map(({ route }, place) => [route, place]));
  const placeOf = (route: string): number => places.get(route) ?? order.length;
  return [...pages.values()]
    .map(({ page }) => page)
    .filter(({ route }) => !ERROR_ROUTES.has(route))
    .sort((a, b) => placeOf(a.route) - placeOf(b.route))
    .flatMap(({ sections }) => sections);
}

const made = new WeakMap<ContentGraph, ReadonlyMap<string, string>>();

/** The files of the search index by name. */
export function searchFilesOf(graph: ContentGraph): ReadonlyMap<string, string> {
  const files = made.get(graph) ?? indexFiles(searchSectionsOf(graph));
  made.set(graph, files);
  return files;
}
