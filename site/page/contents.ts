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

/**
 * Which heading is being read: the last one above the reading line; the last one of all at the page's end.
 * `tops` are distances from the window's top, in order. −1 before the first.
 */
export function headingBeingRead(tops: readonly number[], readingLine: number, isAtEnd: boolean): number {
  return isAtEnd ? tops.length - 1 : tops.findLastIndex((top) => top <= readingLine);
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
    const tops = headings.map((heading) => heading?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY);
    const { scrollHeight } = document.documentElement;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - END_PX;
    const next = links[headingBeingRead(tops, innerHeight * READING_LINE, isAtEnd)];
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
