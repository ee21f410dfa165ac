/**
 * One page of each kind, in both themes: no violation of axe's rules, no shift, nothing beside the window, no error,
 * nothing fetched from elsewhere, and no change that nobody asked for.
 */
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { SHIFT_MAX, watchShift } from './layout-shift.ts';
import { pageTemplates } from './page-templates.ts';
import { useBrowser } from './suite.ts';

/** What a page changes of itself while nobody touches it, during twenty frames. */
const CHANGES = `new Promise((resolve) => {
  const changes = new Set();
  new MutationObserver((records) => {
    for (const { target, attributeName } of records) changes.add(target.nodeName + ' ' + attributeName);
  }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
  let frames = 0;
  const next = () => (++frames < 20 ? requestAnimationFrame(next) : resolve([...changes]));
  next();
})`;

/** All parts of a page are laid out within this. */
const SETTLED = { timeout: 20_000 };

describe('the template of', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  describe.each(Object.entries(pageTemplates))('%s', (_, path) => {
    it.each([1440, 390])('%d px wide, by day and by night', async (width) => {
      const page = await browser.newPage({ colorScheme: 'light', viewport: { width, height: 900 } });
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(site.url)) troubles.push(`asked for ${request.url()}`);
      });
      const shift = await watchShift(page);
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      await expect.poll(() => page.evaluate("document.documentElement.matches('[data-settled]')"), SETTLED).toBe(true);
      expect(await shift()).toBeLessThanOrEqual(SHIFT_MAX);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await page.locator('link[rel=preload]').count()).toBeOneOf([2, 3]);
      expect(await page.evaluate<string[]>(CHANGES)).toEqual([]);
      expect(await axeViolations(page), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page), 'dark').toEqual([]);
      expect(troubles).toEqual([]);
    });
  });
});
