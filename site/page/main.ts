/** The one script of every page. */
import { islands } from '../islands/registry.ts';

for (const element of document.querySelectorAll<HTMLElement>('site-island')) {
  const load = islands[element.dataset['name'] ?? ''];
  element.toggleAttribute('data-known', load !== undefined);
}
