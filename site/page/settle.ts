/**
 * A long page is shown before all of it is laid out: at first what is far below the window is empty boxes
 * (`content-visibility`, styles/prose.css), then a few in each frame are filled in, of steps and tables piece by piece, so
 * that nothing blocks the reader's hand. Only where one comes to the top of a page: an anchor or a remembered position
 * needs all heights at once.
 */

/**
 * What is filled in each frame, in elements: a few ms of style and layout. On a phone each frame takes four times as
 * long, and must still leave room for the reader's hand.
 */
const ELEMENTS_PER_FRAME = 120;
/** What text costs beside the elements in it, as elements. */
const TEXT_WEIGHT = 8;
/** What is empty at first, as in styles/prose.css; steps and rows also within a part, which is filled in before them. */
const PART = '.prose > :nth-child(n + 20)';
const OF_STEP = '[data-step] > :not(:first-child)';
/** As in mdx/Table.module.css; those of longer tables, and of tables that fold, stay as they are. */
const ROW = '[data-stacked] table:not(:has(tr:nth-child(100))) > tbody:not([data-fold]) > tr';
const FOLDED = 'details:not([open])';
/** Where rows are lists of cells. */
const STACKED = '(max-width: 40rem)';

/** In the head, before the text is read. */
export function beginSettling(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isFresh = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (!isFresh || location.hash !== '') return;
  document.documentElement.dataset['settling'] = matchMedia(STACKED).matches ? 'rows' : '';
}

/** Fills in what is left, from the top, once the page has been loaded. */
export function settle(): void {
  const { dataset } = document.documentElement;
  if (dataset['settling'] === undefined) return;
  const piece = dataset['settling'] === 'rows' ? `${OF_STEP}, ${ROW}` : OF_STEP;
  // In the order of the document: a part before its pieces.
  const parts = [...document.querySelectorAll<HTMLElement>(`${PART}, ${PART} :is(${piece})`)];
  const fill = (most: number): void => {
    let left = most;
    for (let [part, following] = parts; part !== undefined; [part, following] = parts) {
      const weight = weightOf(part, following);
      // One that is too heavy for any frame has one to itself.
      if (weight > left && left < most) break;
      part.style.contentVisibility = 'visible';
      left -= weight;
      parts.shift();
    }
    // `data-settling` stays: to take it away would cost a look at every style of the page.
    if (parts.length === 0) dataset['settled'] = '';
  };
  const next = (): void => {
    fill(ELEMENTS_PER_FRAME);
    if (parts.length > 0) requestAnimationFrame(next);
  };
  // Whoever goes to another place of the page meanwhile gets there: what is between has its height first.
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="#"]') !== null) fill(Infinity);
  });
  addEventListener('hashchange', () => {
    if (parts.length === 0) return;
    fill(Infinity);
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  });
  // The frame after the load is full already: what is seen is measured in it (page/scrollers.ts).
  const begin = (): number => requestAnimationFrame(() => requestAnimationFrame(next));
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

function weightOf(part: HTMLElement, following: HTMLElement | undefined): number {
  // What is folded is not laid out before it is opened.
  if (part.closest(FOLDED) !== null) return 0;
  // What has pieces is laid out without them.
  return following !== undefined && part.contains(following)
    ? ELEMENTS_PER_FRAME
    : TEXT_WEIGHT + part.querySelectorAll('*').length;
}
