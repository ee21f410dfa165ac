/** Which pages have a card, and where it is served. */
import type { ContentGraph } from '../content-graph.ts';
import { ERROR_ROUTES } from '../error-routes.ts';
import type { SiteSettings } from '../settings.ts';
import { cardPath, type Card } from './card.ts';

export interface SiteCards {
  readonly all: readonly Card[];
  /** Absolute; '' for pages without a card. */
  addressOf(route: string): string;
}

const FOLDERS_SHOWN = 2;

export function siteCards(graph: ContentGraph, { name, address }: SiteSettings): SiteCards {
  const cards = new Map<string, Card>();
  for (const { page } of graph.pages.values()) {
    const labels = (graph.tree.trails.get(page.route) ?? []).map(({ label }) => label).slice(-FOLDERS_SHOWN);
    const card = { title: page.frontMatter.title, kicker: labels.join(' · '), siteName: name };
    if (!ERROR_ROUTES.has(page.route)) cards.set(page.route, card);
  }
  return {
    all: [...cards.values()],
    addressOf(route) {
      const card = cards.get(route);
      return card === undefined ? '' : address + cardPath(card);
    },
  };
}
