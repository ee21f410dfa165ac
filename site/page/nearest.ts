/**
 * On the page for what is not found: the pages whose addresses nearly match the one that was asked for. They are
 * taken from the links of the menu. Loaded on that page only.
 */
import { editDistance } from '#conductor/core/edit-distance';

/** So many are named at most. */
const NAMED_MAX = 4;
/** How unlike an address may be and still be named: changes for each character. */
const DISTANCE_MAX = 0.5;
/** What is this much less alike than the best is not named beside it. */
const DISTANCE_BEHIND_MAX = 0.2;

export interface KnownPage {
  readonly route: string;
  readonly label: string;
}

/**
 * The likeliest pages, best first. Addresses are compared by their last part (people remember names) and as a
 * whole (sections move less than they are renamed).
 */
export function nearestPages(asked: string, pages: readonly KnownPage[]): readonly KnownPage[] {
  const wanted = normal(asked);
  const ranked = pages
    .map((page) => ({ page, distance: distanceBetween(wanted, normal(page.route)) }))
    .filter(({ distance }) => distance <= DISTANCE_MAX)
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0]?.distance ?? 0;
  return ranked
    .filter(({ distance }) => distance <= best + DISTANCE_BEHIND_MAX)
    .slice(0, NAMED_MAX)
    .map(({ page }) => page);
}

function normal(route: string): readonly string[] {
  const path = route
    .toLowerCase()
    .replace(/\.(html?|md|mdx)$/, '')
    .replaceAll(/[_\s]+/g, '-');
  return path.split('/').filter((part) => part !== '' && part !== 'index');
}

function distanceBetween(asked: readonly string[], known: readonly string[]): number {
  const whole = editShare(asked.join('/'), known.join('/'));
  const name = editShare(asked.at(-1) ?? '', known.at(-1) ?? '');
  return Math.min(whole, (2 * name + whole) / 3);
}

/** Changes needed for each character of the longer text: 0 equal, 1 nothing in common. */
function editShare(a: string, b: string): number {
  return editDistance(a, b) / Math.max(a.length, b.length, 1);
}

/** Fills the place that the page keeps for them. */
export function showNearest(place: HTMLElement): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-menu] a[href^="/"]')];
  const pages = links.map((link) => ({ route: new URL(link.href).pathname, label: link.ariaLabel ?? link.text }));
  const near = nearestPages(location.pathname, pages);
  const list = place.querySelector('ul');
  if (near.length === 0 || list === null) return;
  list.replaceChildren(...near.map(({ route, label }) => itemFor(route, label)));
  place.hidden = false;
}

function itemFor(route: string, label: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = route;
  link.textContent = label;
  const address = document.createElement('code');
  address.textContent = route;
  item.append(link, ' ', address);
  return item;
}
