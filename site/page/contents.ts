/**
 * The list of headings: marks the one being read, and is open where it stands beside the text.
 */
import { keepInSight } from './keep-in-sight.ts';

/** Wide enough for the contents beside the text, as in layout/Contents.module.css. */
const BESIDE = '(min-width: 76rem)';
/** A heading is being read from when it comes this near to the window's top, in parts of its height. */
const READING_LINE = 0.25;
/** How far from its end a page counts as read to the end, in px. */
const END_PX = 4;

export interface Headings {
  readonly count: number;
  /** How far a heading is from the window's top; in their order, these grow. Infinity for one that is not on the page. */
  readonly topOf: (index: number) => number;
  readonly readingLine: number;
  readonly isAtEnd: boolean;
}

/**
 * Which heading is being read: the last one above the reading line; the last one of all at the page's end. −1 before
 * the first. Asks for no more than it has to: to place a heading in what is not laid out yet costs its layout.
 */
export function headingBeingRead({ count, topOf, readingLine, isAtEnd }: Headings): number {
  if (isAtEnd) return count - 1;
  let last = -1;
  while (last + 1 < count && topOf(last + 1) <= readingLine) last += 1;
  return last;
}

export function installContents(): void {
  const contents = document.querySelector<HTMLElement>('[data-contents]');
  if (contents === null) return;
  openWhereBeside(contents);
  const links = [...contents.querySelectorAll('a')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let current: HTMLElement | undefined;
  let isPending = false;

  const mark = (): void => {
    isPending = false;
    const { scrollHeight } = document.documentElement;
    const read = headingBeingRead({
      count: links.length,
      topOf: (index) => headings[index]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY,
      readingLine: innerHeight * READING_LINE,
      isAtEnd: scrollY > 0 && scrollY + innerHeight >= scrollHeight - END_PX,
    });
    const next = links[read];
    if (next === current) return;
    current?.removeAttribute('aria-current');
    next?.setAttribute('aria-current', 'location');
    current = next;
    if (next !== undefined) keepInSight(contents, next);
  };
  const later = (): void => {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(mark);
  };
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', later, { passive: true });
  later();
}

function openWhereBeside(contents: HTMLElement): void {
  const details = contents.querySelector('details');
  const summary = contents.querySelector('summary');
  if (details === null || summary === null) return;
  const query = matchMedia(BESIDE);
  const fit = (): void => {
    details.open = query.matches;
    summary.tabIndex = query.matches ? -1 : 0;
  };
  query.addEventListener('change', fit);
  fit();
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && !query.matches) details.open = false;
  });
}
