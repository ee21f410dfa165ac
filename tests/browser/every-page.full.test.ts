/**
 * Every page of the sitemap, in both themes: no violation of axe's rules, nothing moves while it loads, and on a phone
 * nothing is beside the window.
 */
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { SHIFT_MAX, watchShift } from './layout-shift.ts';
import { useBrowser } from './suite.ts';

const PARTS = 4;
/** Fifty pages and more at a few seconds each, on a machine that has other things to do. */
const PART_MS_MAX = 600_000;
const PAGES_MIN = 150;
/** On a machine that is busy a face may come after the first paint: that does not happen thrice, a page that moves does. */
const LOADS_MAX = 3;
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

describe('every page', () => {
  const site = useBuiltSite();

  // Each part has a browser of its own: one that has been through all pages has been seen to break down.
  describe.each(Array.from({ length: PARTS }, (_, part) => part))('of part %d', (part) => {
    const browser = useBrowser();

    it('is sound by day and by night', { timeout: PART_MS_MAX }, async () => {
      const sitemap = await (await fetch(`${site.url}sitemap.xml`)).text();
      const paths = Array.from(
        sitemap.matchAll(/<loc>([^<]*)<\/loc>/g),
        ([, address = '']) => new URL(address).pathname,
      );
      expect(paths.length).toBeGreaterThanOrEqual(PAGES_MIN);
      const page = await browser.newPage({ colorScheme: 'light', viewport: DESK });
      const shift = await watchShift(page);
      const troubles: string[] = [];
      for (const path of paths.filter((_, index) => index % PARTS === part)) {
        await page.emulateMedia({ colorScheme: 'light' });
        const moved = await leastShift(async () => {
          await page.goto(site.url + path.slice(1), { waitUntil: 'load' });
          await expect
            .poll(() => page.evaluate("document.documentElement.matches('[data-settled]')"), { timeout: 20_000 })
            .toBe(true);
          return shift();
        });
        if (moved > SHIFT_MAX) troubles.push(`${path}: moved by ${moved}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          troubles.push(...(await axeViolations(page)).map((violation) => `${path}, ${colorScheme}: ${violation}`));
        }
        await page.setViewportSize(PHONE);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > PHONE.width) troubles.push(`${path}: ${width} px wide on a phone`);
        troubles.push(...(await axeViolations(page)).map((violation) => `${path}, phone: ${violation}`));
        await page.setViewportSize(DESK);
      }
      expect(troubles).toEqual([]);
    });
  });
});

async function leastShift(load: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let loads = 0; loads < LOADS_MAX && least > SHIFT_MAX; loads++) least = Math.min(least, await load());
  return least;
}
