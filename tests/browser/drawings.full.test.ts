/**
 * Every drawing of the site, in the narrowest window: nothing of it is cut off or beside the window, whether it is drawn,
 * drawn anew for phones, or a list. A sequence can be gone through.
 */
import { describe, expect, it } from 'vitest';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const WIDTH = 320;
const PAGES_MIN = 40;
/** All pages with a drawing, at a second or two each. */
const MS_MAX = 600_000;

/** What is wrong with the drawings that are seen: words outside of their sheet, parts beside the window. */
const COMPLAINTS = `(() => {
  const complaints = [];
  const isSeen = (element) => element.getBoundingClientRect().width > 0;
  for (const figure of document.querySelectorAll('[data-diagram], [data-figure]')) {
    const name = figure.dataset.diagram ?? figure.dataset.figure;
    const parts = [...figure.querySelectorAll('svg, ol, table')].filter(isSeen);
    if (parts.length === 0) complaints.push(name + ': nothing is seen');
    for (const svg of figure.querySelectorAll('svg')) {
      if (!isSeen(svg)) continue;
      const sheet = svg.getBoundingClientRect();
      const scroller = svg.closest('[data-scrolls]');
      if (scroller === null && (sheet.left < 0 || sheet.right > innerWidth)) complaints.push(name + ': beside the window');
      for (const text of svg.querySelectorAll('text')) {
        const box = text.getBoundingClientRect();
        const isInside = box.left >= sheet.left - 1 && box.right <= sheet.right + 1 && box.top >= sheet.top - 1 && box.bottom <= sheet.bottom + 1;
        if (!isInside) complaints.push(name + ': “' + text.textContent + '” is cut');
      }
    }
  }
  return complaints;
})()`;

describe('the drawings of the site', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  it('are whole in a window of 320 px', { timeout: MS_MAX }, async () => {
    const sitemap = await (await fetch(`${site.url}sitemap.xml`)).text();
    const paths = Array.from(sitemap.matchAll(/<loc>([^<]*)<\/loc>/g), ([, address = '']) => new URL(address).pathname);
    const drawn: string[] = [];
    for (const path of paths) {
      const html = await (await fetch(site.url + path.slice(1))).text();
      if (html.includes('data-diagram=') || html.includes('data-figure=')) drawn.push(path);
    }
    expect(drawn.length).toBeGreaterThanOrEqual(PAGES_MIN);
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 700 } });
    const complaints: string[] = [];
    for (const path of drawn) {
      await page.goto(site.url + path.slice(1), { waitUntil: 'load' });
      await page.locator('html[data-settled]').waitFor();
      const found = await page.evaluate<string[]>(COMPLAINTS);
      complaints.push(...found.map((complaint) => `${path}: ${complaint}`));
    }
    expect(complaints).toEqual([]);
  });

  it('show a sequence one message at a time, with its sentence', async () => {
    const page = await pageOpener(browser, site)('stack/transactions/deposit-flow');
    const figure = page
      .locator('[data-diagram]')
      .filter({ has: page.locator('[data-step-through]') })
      .first();
    await figure.locator('[data-step-through]').click();
    const count = await figure.locator('svg:has(+ ol) > g').count();
    expect(await figure.getByRole('status').innerText()).toMatch(new RegExp(`^1 of ${count}\\.`));
    await page.keyboard.press('ArrowRight');
    expect(await figure.locator('svg > g[data-moment=past]').count()).toBe(1);
    expect(await figure.locator('svg > g[data-moment=later]').count()).toBe(count - 2);
    expect(await figure.getByRole('status').innerText()).toMatch(new RegExp(`^2 of ${count}\\.`));
    await figure.getByRole('button', { name: 'Show all' }).click();
    expect(await figure.locator('[data-moment]').count()).toBe(0);
  });
});
