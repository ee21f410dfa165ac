/**
 * Every title and heading of the site in the order of the alphabet: what the page `/search` shows where nothing answers a
 * search, because no script runs and the host serves files alone.
 */
import { listedPages } from './outputs/output-file.ts';
import type { ContentGraph } from './content-graph.ts';
import type { LetterGroup, ListedHeading } from '../layout/SearchPage.tsx';

/** A heading that so many pages have says nothing of what stands below it. */
const PAGES_MAX = 10;
const OTHER = '0–9';

/** Groups by first letter, those of digits first; what comes before the first letter or digit does not count. */
export function headingsByLetter(graph: ContentGraph): LetterGroup[] {
  const sections = listedPages(graph).flatMap((page) => page.sections);
  const counts = new Map<string, number>();
  for (const { heading, slug } of sections) if (slug !== '') counts.set(heading, (counts.get(heading) ?? 0) + 1);
  const listed = sections
    .filter(({ heading, slug }) => slug === '' || (counts.get(heading) ?? 0) <= PAGES_MAX)
    .map(({ route, slug, heading, pageTitle }): ListedHeading =>
      slug === ''
        ? { text: pageTitle, href: route, page: '' }
        : { text: heading, href: `${route}#${slug}`, page: pageTitle },
    );
  const groups = Map.groupBy(listed, ({ text }) => letterOf(text));
  return [...groups]
    .map(([letter, headings]) => ({ letter, headings: headings.toSorted(byText) }))
    .sort((a, b) => (a.letter < b.letter ? -1 : 1));
}

function letterOf(text: string): string {
  const [first = ''] = /[\p{L}\p{N}]/u.exec(text) ?? [];
  const letter = first.normalize('NFD').charAt(0).toUpperCase();
  return /[A-Z]/.test(letter) ? letter : OTHER;
}

const collator = new Intl.Collator('en-US', { numeric: true, ignorePunctuation: true });

function byText(a: ListedHeading, b: ListedHeading): number {
  return collator.compare(a.text, b.text) || collator.compare(a.page, b.page);
}
