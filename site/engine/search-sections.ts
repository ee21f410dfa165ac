/**
 * What search is given of the content: all sections of all pages, the pages about errors apart, in reading order,
 * which also orders the parts of the site to filter by; pages that no menu shows come last.
 */
import type { ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import type { Section } from './page.ts';

export function searchSectionsOf({ pages, tree }: ContentGraph): Section[] {
  const order = tree.readings.flat();
  const places = new Map(order.map(({ route }, place) => [route, place]));
  const placeOf = (route: string): number => places.get(route) ?? order.length;
  return [...pages.values()]
    .map(({ page }) => page)
    .filter(({ route }) => !ERROR_ROUTES.has(route))
    .sort((a, b) => placeOf(a.route) - placeOf(b.route))
    .flatMap(({ sections }) => sections);
}
