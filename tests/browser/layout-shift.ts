/** How far a page moves under its reader's eyes, from its first paint on (cumulative layout shift). */
import type { Page } from 'playwright-core';

/** What is 0.000 in three digits: the end of a line after words in italics, whose face comes last. */
export const SHIFT_MAX = 0.0005;

/** Call it before the page is opened; what it returns tells the shift of the page that is open. */
export async function watchShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
      .observe({ type: 'layout-shift', buffered: true });
  `);
  return () => page.evaluate<number>('window.shift');
}
