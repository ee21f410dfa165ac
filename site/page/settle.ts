/**
 * A long page is shown before all of it is laid out: at first what is far below the window is empty boxes
 * (`content-visibility`, styles/prose.css), then a few in each frame are filled in, so that nothing blocks the reader's
 * hand. Only where one comes to the top of a page: an anchor or a remembered position needs all heights at once.
 */

/**
 * What is filled in each frame, a few ms of layout: so many paragraphs, or two parts that cost more.
 * On a phone each frame takes four times as long, and must still leave room for the reader's hand.
 */
const PER_FRAME = 4;
const HEAVY = 'pre, table, svg';
const HEAVY_WEIGHT = 3;

/** In the head, before the text is read. */
export function beginSettling(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isFresh = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isFresh && location.hash === '') document.documentElement.dataset['settling'] = '';
}

/** Fills in what is left, from the top, once the page has been loaded. */
export function settle(): void {
  const { dataset } = document.documentElement;
  if (dataset['settling'] === undefined) return;
  const parts = [...document.querySelectorAll<HTMLElement>('.prose > *')];
  const fill = (most: number): void => {
    for (let weight = 0; weight < most && parts.length > 0;) {
      const part = parts.shift()!;
      weight += part.querySelector(HEAVY) === null ? 1 : HEAVY_WEIGHT;
      part.style.contentVisibility = 'visible';
    }
    // `data-settling` stays: to take it away would cost a look at every style of the page.
    if (parts.length === 0) dataset['settled'] = '';
  };
  const next = (): void => {
    fill(PER_FRAME);
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
  if (document.readyState === 'complete') next();
  else addEventListener('load', next, { once: true });
}
