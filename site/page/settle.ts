/**
 * A long page is shown before all of it is laid out: at first what is far below the window is empty boxes
 * (`content-visibility`, styles/prose.css), then a few in each frame are filled in, so that nothing blocks the reader's
 * hand. Only where one comes to the top of a page: an anchor or a remembered position needs all heights at once.
 */

/** So many parts of the text are filled in each frame: a few ms of layout. */
const PER_FRAME = 6;

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
  const next = (): void => {
    for (const part of parts.splice(0, PER_FRAME)) part.style.contentVisibility = 'visible';
    if (parts.length > 0) requestAnimationFrame(next);
    // `data-settling` stays: to take it away would cost a look at every style of the page.
    else dataset['settled'] = '';
  };
  if (document.readyState === 'complete') next();
  else addEventListener('load', next, { once: true });
}
