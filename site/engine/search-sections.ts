/** What search is given of the content: all sections of all pages, the pages about errors apart. */
import type { ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import type { Section } from './page.ts';

export function searchSectionsOf(graph: ContentGraph): Section[] {
  return [...graph.pages.values()]
    .filter(({ page }) => !ERROR_ROUTES.has(page.route))
    .flatMap(({ page }) => page.sections);
}
