/** One page of each kind, in both themes: no violation of axe's rules, no shift, no error, nothing fetched from elsewhere. */
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const pages = {
  home: '',
  conductor: 'builders/chain-operators/tools/op-conductor',
  index: 'builders/tools',
  concept: 'stack/components',
  tutorial: 'builders/app-developers/tutorials/cross-dom-bridge-eth',
  reference: 'chain/addresses',
  interactive: 'builders/tools/fee-calculator',
  notice: 'builders/notices/holocene-changes',
  'not found': 'nowhere',
};

describe('the template of', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  describe.each(Object.entries(pages))('%s', (_, path) => {
    it.each([1440, 390])('%d px wide, by day and by night', async (width) => {
      const page = await browser.newPage({ colorScheme: 'light', viewport: { width, height: 900 } });
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(site.url)) troubles.push(`asked for ${request.url()}`);
      });
      await page.addInitScript(`
        window.shift = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
          .observe({ type: 'layout-shift', buffered: true });
      `);
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      expect(await page.evaluate('window.shift')).toBe(0);
      expect(await axeViolations(page), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page), 'dark').toEqual([]);
      expect(troubles).toEqual([]);
    });
  });
});
