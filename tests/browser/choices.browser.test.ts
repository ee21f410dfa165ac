/** What readers choose and the site remembers: theme, tabs, steps done. */
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { watchShift } from './layout-shift.ts';
import { useBrowser } from './suite.ts';

const CONDUCTOR = 'builders/chain-operators/tools/op-conductor';
/** Its methods, each with curl and cast. */
const METHODS = 'conductor/rpc';
/** Another page that offers curl and cast. */
const NETWORKS = 'chain/networks';

describe('choices of readers', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site);
  const paper = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const attribute = (page: Page, name: string): Promise<string | null> => page.locator('html').getAttribute(name);

  describe('the theme', () => {
    it('is the system’s until one is chosen', async () => {
      const [day, night] = [await open('', { colorScheme: 'light' }), await open('', { colorScheme: 'dark' })];
      expect(await paper(day)).not.toBe(await paper(night));
      const before = await paper(day);
      await day.emulateMedia({ colorScheme: 'dark' });
      expect(await paper(day)).not.toBe(before);
    });

    it('once chosen holds against the system, on every page and from the first paint on', async () => {
      const page = await open('', { colorScheme: 'light' });
      const light = await paper(page);
      await page.getByLabel('Theme').first().selectOption('dark');
      const dark = await paper(page);
      expect(dark).not.toBe(light);
      // What the first frame shows: noted before any script of the page has run.
      await page.addInitScript(`
        requestAnimationFrame(() => { window.firstPaper = getComputedStyle(document.documentElement).backgroundColor; });
      `);
      await page.goto(site.url + CONDUCTOR);
      expect(await page.evaluate('window.firstPaper')).toBe(dark);
      expect(await page.getByLabel('Theme').first().inputValue()).toBe('dark');
      await page.getByLabel('Theme').first().selectOption('system');
      expect(await paper(page)).toBe(light);
      expect(await attribute(page, 'data-theme')).toBeNull();
    });

    it('changes in other windows of the site at once', async () => {
      const first = await open('');
      const second = await first.context().newPage();
      await second.goto(site.url + CONDUCTOR);
      await first.getByLabel('Theme').first().selectOption('dark');
      await second.waitForFunction("document.documentElement.dataset.theme === 'dark'");
      expect(await second.getByLabel('Theme').first().inputValue()).toBe('dark');
    });
  });

  describe('tabs', () => {
    const shown = (page: Page): Promise<string[]> =>
      page.evaluate(
        "[...document.querySelectorAll('[data-tabs=rpc-client] > [role=tab], [data-tabs=rpc-client] [role=tab]')].filter((tab) => tab.ariaSelected === 'true').map((tab) => tab.textContent)",
      );

    it('with one name follow each other through the page and the site, and keep their place', async () => {
      const page = await open(METHODS);
      const groups = await page.locator('[data-tabs=rpc-client]').count();
      expect(groups).toBeGreaterThan(10);
      const tab = page.locator('[data-tabs=rpc-client]').nth(5).getByRole('tab', { name: 'cast' });
      await tab.scrollIntoViewIfNeeded();
      const before = await tab.boundingBox();
      await tab.click();
      expect(new Set(await shown(page))).toEqual(new Set(['cast']));
      expect(await shown(page)).toHaveLength(groups);
      expect(Math.abs(((await tab.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);

      await page.goto(site.url + NETWORKS);
      expect(new Set(await shown(page))).toEqual(new Set(['cast']));
      const panels = page.locator('[data-tabs=rpc-client]').first().getByRole('tabpanel', { includeHidden: true });
      expect(await panels.nth(0).isVisible()).toBe(false);
      expect(await panels.nth(1).isVisible()).toBe(true);
    });

    it('move and select by arrows, Home and End; one stop of the Tab key for each group', async () => {
      const page = await open(METHODS);
      const tabs = page.locator('[data-tabs=rpc-client]').first().getByRole('tab');
      await tabs.first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await tabs.nth(1).getAttribute('aria-selected')).toBe('true');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('cast');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('curl');
      await page.keyboard.press('End');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('cast');
      expect(await tabs.evaluateAll((all) => all.filter((tab) => tab.getAttribute('tabindex') === '0').length)).toBe(1);
    });

    it('are shown as chosen before the page is painted: nothing shifts', async () => {
      const page = await open(METHODS);
      await page.getByRole('tab', { name: 'cast' }).first().click();
      const shift = await watchShift(page);
      await page.goto(site.url + METHODS, { waitUntil: 'networkidle' });
      expect(new Set(await shown(page))).toEqual(new Set(['cast']));
      expect(await shift()).toBe(0);
    });
  });

  describe('a stepper', () => {
    const steps = (page: Page) => page.locator('[data-steps]').first();

    it('remembers what is done, counts it and starts over', async () => {
      const page = await open(CONDUCTOR);
      const ticks = steps(page).getByRole('checkbox');
      const count = await ticks.count();
      expect(count).toBe(11);
      await ticks.nth(0).check();
      await ticks.nth(2).check();
      expect(await steps(page).locator('output').textContent()).toBe(`2 of ${count} steps done`);

      await page.reload();
      expect(await steps(page).locator('[data-done]').count()).toBe(2);
      expect(await ticks.nth(2).isChecked()).toBe(true);
      expect(await ticks.nth(1).isChecked()).toBe(false);

      await steps(page).getByRole('button', { name: 'Start over' }).click();
      expect(await steps(page).locator('[data-done]').count()).toBe(0);
      await page.reload();
      expect(await ticks.nth(0).isChecked()).toBe(false);
    });
  });

  it('work for the visit where the browser forbids to store anything', async () => {
    const page = await browser.newPage();
    await page.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });",
    );
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(site.url + METHODS);
    await page.getByLabel('Theme').first().selectOption('dark');
    expect(await attribute(page, 'data-theme')).toBe('dark');
    await page.getByRole('tab', { name: 'cast' }).first().click();
    expect(await page.getByRole('tab', { name: 'cast' }).nth(3).getAttribute('aria-selected')).toBe('true');
    await page.goto(site.url + CONDUCTOR);
    await steps(page).getByRole('checkbox').first().check();
    expect(await steps(page).locator('[data-done]').count()).toBe(1);
    expect(errors).toEqual([]);
  });

  const steps = (page: Page) => page.locator('[data-steps]').first();
});
