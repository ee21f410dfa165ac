/** The front page: its cluster is still until it is started, everything of the first screen is in it, nothing moves. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { keepWorker, passToEnd } from './cluster-of-page.ts';
import { useBrowser } from './suite.ts';

/** A machine may be busy with other things. */
const WAIT_MS_MAX = 60_000;
/** Between two blocks of a second, when the leader dies: less than a block is lost. */
const GAP_SECONDS_MAX = 2;

const windows: readonly [name: string, options: BrowserContextOptions][] = [
  ['desk', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
];

describe('the front page', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site);

  /** Where the last of the ways in ends. */
  const waysEnd = (page: Page): Promise<number> =>
    page.evaluate<number>("document.querySelector('main article ul').getBoundingClientRect().bottom");

  it.each(windows)(
    'on a %s: its cluster starts when it is asked to, and says how long the gap was',
    async (_, options) => {
      site.takeRequests();
      const page = await open('', options);
      expect(site.takeRequests().filter((path) => /Cluster|worker|react/.test(path))).toEqual([]);
      expect(await page.locator('[data-search]:visible').count()).toBe(1);
      const endsAt = await waysEnd(page);
      expect(endsAt).toBeLessThanOrEqual(options.viewport!.height);
      await page.getByRole('button', { name: 'Kill the leader' }).click();
      const gap = page.locator('[data-home-cluster] [data-gap="true"]');
      await gap.waitFor({ timeout: WAIT_MS_MAX });
      expect(Number.parseFloat(await gap.innerText())).toBeLessThan(GAP_SECONDS_MAX);
      expect(await page.locator('[data-home-cluster]').innerText()).toContain('no height missed');
      expect(await waysEnd(page)).toBeCloseTo(endsAt, 0);
    },
  );

  it('its leader can be killed after the end of the run, too, in a new cluster', async () => {
    const page = await open('');
    await keepWorker(page);
    const button = page.getByRole('button', { name: 'Kill the leader' });
    const gap = page.locator('[data-home-cluster] [data-gap="true"]');
    const isNone = page.locator('[data-home-cluster] strong:not([data-gap])');
    await button.click();
    await gap.waitFor({ timeout: WAIT_MS_MAX });
    await passToEnd(page);
    // Nothing says so in the page; the commands of the worker are done in turn.
    await button.click();
    await isNone.waitFor();
    await gap.waitFor({ timeout: WAIT_MS_MAX });
    expect(Number.parseFloat(await gap.innerText())).toBeLessThan(GAP_SECONDS_MAX);
  });
});
