/** Reading a page: without JavaScript, by keyboard, on a phone, on paper. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const CONDUCTOR = 'builders/chain-operators/tools/op-conductor';
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

describe('reading', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site, DESK);
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

  describe('without JavaScript', () => {
    it('shows all panels under their labels, every step, and nothing that would not work', async () => {
      const page = await open('conductor/rpc', { ...DESK, javaScriptEnabled: false });
      const panels = page.getByRole('tabpanel');
      const groups = await page.locator('[data-tabs]').count();
      expect(await panels.count()).toBeGreaterThanOrEqual(2 * groups);
      for (const panel of (await panels.all()).slice(0, 6)) expect(await panel.isVisible()).toBe(true);
      expect(await panels.nth(1).innerText()).toMatch(/^cast\n/);
      await page.goto(site.url + CONDUCTOR);
      expect(await page.locator('[data-steps=spin-up-op-conductor] [data-step]').count()).toBe(11);
      for (const needless of await page.locator('[data-needs-script]').all())
        expect(await needless.isVisible()).toBe(false);
      expect(await page.locator('[data-contents] a').first().isVisible()).toBe(true);
    });

    it('opens the menu of a phone and follows its links', async () => {
      const page = await open(CONDUCTOR, { ...PHONE, javaScriptEnabled: false });
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'op-deployer' }).first().click();
      await page.waitForURL(/op-deployer$/);
    });
  });

  describe('by keyboard', () => {
    it('the first stop skips to the text', async () => {
      const page = await open(CONDUCTOR);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to the text');
      const box = await page.getByText('Skip to the text').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true);
    });

    it('every stop in a page shows where it is', async () => {
      const page = await open('chain/networks');
      for (let stop = 0; stop < 40; stop += 1) {
        await page.keyboard.press('Tab');
        const ring = await page.evaluate<string>(
          "document.activeElement === document.body ? 'end' : getComputedStyle(document.activeElement).outlineStyle",
        );
        expect(ring, `stop ${stop}: ${await focused(page)}`).not.toBe('none');
      }
    });
  });

  describe('at a desk', () => {
    it('a link to a term says what it leads to while it has the focus, and Escape hides that', async () => {
      const page = await open('stack/components', DESK);
      await page.waitForLoadState('networkidle');
      const link = page.locator('[data-card]').first();
      await link.focus();
      const card = page.getByRole('tooltip');
      await card.waitFor();
      expect(await card.innerText()).not.toBe('');
      expect(await link.getAttribute('aria-describedby')).toBe(await card.getAttribute('id'));
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
    });

    it('the area of a page is marked, and its menu has the pages of that area alone', async () => {
      const page = await open('stack/components', DESK);
      const areas = page.getByRole('navigation', { name: 'Areas' });
      expect(await areas.locator('[aria-current]').allInnerTexts()).toEqual(['OP Stack']);
      const menu = page.getByRole('navigation', { name: 'Pages' });
      expect(await menu.locator('a[href^="/conductor/"]:visible').count()).toBe(0);
      await areas.getByRole('link', { name: 'Conductor' }).click();
      await page.waitForURL(/\/conductor$|\/conductor\//);
      expect(await areas.locator('[aria-current]').allInnerTexts()).toEqual(['Conductor']);
    });

    it('what is wrong with a page opens an issue that is filled in', async () => {
      const page = await open(CONDUCTOR, DESK);
      await page.evaluate('window.open = (address) => { window.opened = address; }');
      await page.getByRole('link', { name: 'Say what is wrong or missing' }).click();
      const dialog = page.getByRole('dialog', { name: 'Say what is wrong or missing' });
      await dialog.getByLabel('In your words').fill('It says 2 & means 3.');
      await dialog.getByLabel('Where').selectOption({ label: 'Design' });
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Open the issue' }).click();
      const opened = new URL(await page.evaluate<string>('window.opened'));
      expect(opened.searchParams.get('page')).toMatch(/op-conductor#design$/);
      expect(opened.searchParams.get('problem')).toContain('It says 2 & means 3.');
    });
  });

  describe('on a phone', () => {
    it('the menu is a sheet that Escape closes, and focus returns', async () => {
      const page = await open(CONDUCTOR, PHONE);
      const menu = page.getByRole('navigation', { name: 'Pages' });
      expect(await menu.isVisible()).toBe(false);
      const button = page.getByRole('button', { name: 'Menu' });
      await button.click();
      expect(await menu.isVisible()).toBe(true);
      expect(await menu.locator('[aria-current=page]').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await menu.isVisible()).toBe(false);
      expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    });

    it('a link to the end of a long page arrives there before all of it is laid out', async () => {
      const page = await browser.newPage(PHONE);
      await page.goto(site.url + CONDUCTOR, { waitUntil: 'domcontentloaded' });
      await page.evaluate('document.querySelector(\'[data-contents] a[href="#next-steps"]\').click()');
      const top = (): Promise<number> =>
        page.evaluate("document.getElementById('next-steps').getBoundingClientRect().top");
      expect(await top()).toBeLessThan(120);
      await page.locator('html[data-settled]').waitFor();
      expect(await top()).toBeLessThan(120);
    });

    it('the sheet holds what the bar has no room for', async () => {
      const page = await open(CONDUCTOR, PHONE);
      await page.getByRole('button', { name: 'Menu' }).click();
      const menu = page.getByRole('navigation', { name: 'Pages' });
      expect(await menu.getByRole('link', { name: 'Status' }).count()).toBe(1);
      await menu.getByLabel('Theme').selectOption('dark');
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    });

    it('the contents are a disclosure under the title, which closes when a heading is chosen', async () => {
      const page = await open(CONDUCTOR, PHONE);
      const link = page.locator('[data-contents] a[href="#design"]');
      expect(await link.isVisible()).toBe(false);
      await page.getByText('On this page').click();
      await link.click();
      expect(await link.isVisible()).toBe(false);
      expect(page.url()).toMatch(/#design$/);
    });

    it.each(['', CONDUCTOR, 'chain/addresses', 'builders/tools/fee-calculator'])(
      '/%s is no wider than the window',
      async (path) => {
        const page = await open(path, { viewport: { width: 320, height: 700 } });
        // With what an island puts there, not before it.
        await page.waitForLoadState('networkidle');
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      },
    );
  });

  describe('the contents beside the text', () => {
    it('mark the heading that is being read', async () => {
      const page = await open(CONDUCTOR);
      const current = page.locator('[data-contents] [aria-current]');
      expect(await current.count()).toBe(0);
      for (const slug of ['design', 'setup', 'next-steps']) {
        // What comes into sight on the way may still grow, and push the heading away again.
        const link = page.locator(`[data-contents] a[href="#${slug}"][aria-current]`);
        await expect
          .poll(
            async () => {
              await page.evaluate(`document.getElementById('${slug}').scrollIntoView()`);
              return link.count();
            },
            { timeout: 20_000 },
          )
          .toBe(1);
        expect(await current.count()).toBe(1);
      }
    });
  });

  describe('copying', () => {
    const granted = { ...DESK, permissions: ['clipboard-read', 'clipboard-write'] };
    const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

    it('a code block gives its text without the prompt', async () => {
      const page = await open(CONDUCTOR, granted);
      const block = page.locator('[data-code][data-lang=sh]').first();
      await block.hover();
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await clipboard(page)).toBe((await block.locator('code').textContent())?.trimEnd());
      await page.getByRole('status').getByText('Copied').waitFor();
    });

    it('a block with long lines breaks them when asked, and none else offers to', async () => {
      const page = await open(CONDUCTOR, { viewport: { width: 390, height: 844 } });
      const long = page.locator('[data-code]:has(pre[data-overflows])').first();
      await long.getByRole('button', { name: 'Wrap' }).click();
      await expect
        .poll(() =>
          page.evaluate(
            "document.querySelector('[data-wrap][aria-pressed=true]').closest('[data-code]').querySelector('pre').hasAttribute('data-fits')",
          ),
        )
        .toBe(true);
      const fitting = page.locator('[data-code]:has(pre[data-fits]):not(:has([aria-pressed=true]))').first();
      expect(await fitting.getByRole('button', { name: 'Wrap' }).count()).toBe(0);
    });

    it('the page gives its Markdown twin', async () => {
      const page = await open(CONDUCTOR, granted);
      await page.getByRole('button', { name: 'Copy page' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await clipboard(page)).toMatch(/^# Conductor\n/);
    });

    it('says when it failed', async () => {
      const page = await open(CONDUCTOR, granted);
      site.refuse(/\.md$/);
      await page.getByRole('button', { name: 'Copy page' }).click();
      await page.getByRole('button', { name: 'Could not copy' }).waitFor();
      site.refuse(null);
    });
  });

  describe('on paper', () => {
    it('is the text alone, with every panel, in ink on white', async () => {
      const page = await open(CONDUCTOR, { ...DESK, colorScheme: 'dark' });
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
      expect(await page.getByRole('banner').isVisible()).toBe(false);
      expect(await page.getByText('Edit this page').isVisible()).toBe(false);
      for (const panel of (await page.getByRole('tabpanel').all()).slice(0, 4))
        expect(await panel.isVisible()).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
      const overflowing = await page.evaluate<number>(
        "[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth + 1).length",
      );
      expect(overflowing).toBe(0);
      const sizes = await page.evaluate<number[]>(
        "['h1', 'h2', 'h3', 'h4', 'p'].map((name) => parseFloat(getComputedStyle(document.querySelector('main ' + name)).fontSize))",
      );
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      expect(new Set(sizes).size).toBe(sizes.length);
    });
  });

  describe('a long page', () => {
    const left = (page: Page): Promise<number> =>
      page.evaluate(
        "[...document.querySelectorAll('.prose *')].filter((part) => getComputedStyle(part).contentVisibility === 'auto').length",
      );

    it.each([
      ['at a desk', DESK],
      ['on a phone', PHONE],
    ])('is laid out bit by bit after it is shown, and then wholly (%s)', async (_, device) => {
      const page = await open(CONDUCTOR, device);
      await expect
        .poll(() => page.evaluate("document.documentElement.matches('[data-settled]')"), { timeout: 20_000 })
        .toBe(true);
      expect(await left(page)).toBe(0);
    });

    it('has its steps and the rows of its tables laid out over several frames on a phone', async () => {
      const page = await browser.newPage(PHONE);
      await page.addInitScript(`
        window.filled = { steps: 0, rows: 0 };
        new MutationObserver((records) => {
          const has = (what) => records.some(({ target }) => target.matches(what));
          if (has('[data-steps] [data-step] > *')) window.filled.steps += 1;
          if (has('tbody > tr')) window.filled.rows += 1;
        }).observe(document, { subtree: true, attributeFilter: ['style'] });`);
      await page.goto(site.url + CONDUCTOR);
      await page.locator('html[data-settled]').waitFor();
      const { steps, rows } = await page.evaluate<{ steps: number; rows: number }>('window.filled');
      expect(steps).toBeGreaterThan(3);
      expect(rows).toBeGreaterThan(3);
    });

    it.each(['next-steps', 'design', 'conductor_pause'])(
      'is laid out at once for those who come to #%s',
      async (slug) => {
        const page = await open(`${CONDUCTOR}#${slug}`);
        expect(await left(page)).toBe(0);
        const heading = await page.locator(`#${slug}`).boundingBox();
        const isAtEnd = await page.evaluate<boolean>(
          'scrollY + innerHeight >= document.documentElement.scrollHeight - 2',
        );
        if (!isAtEnd) expect(heading?.y).toBeLessThan(150);
        expect(heading?.y).toBeGreaterThan(40);
        expect(heading?.y).toBeLessThan(900);
      },
    );
  });

  it('an address that is nearly right is told the right one', async () => {
    const page = await open('builders/chain-operators/tools/op-conducter');
    const link = page.locator('[data-nearest] a').first();
    await link.waitFor();
    await link.click();
    await page.waitForURL(new RegExp(`${CONDUCTOR}$`));
  });

  it('motion is absent for those who ask for none', async () => {
    const page = await open(CONDUCTOR, { ...DESK, reducedMotion: 'reduce' });
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--time').trim()")).toBe(
      '0s',
    );
  });
});
