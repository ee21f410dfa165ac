/** The site kept by a reader: only when asked, whole, never older than what is served, and gone when it is to go. */
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { find } from '../../site/search/find.ts';
import { folderSource, indexFolder } from '../../site/search/folder-source.ts';
import { SearchIndex } from '../../site/search/search-index.ts';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const START = 'stack/components';
const QUERY = 'conductor_addServerAsVoter';
const OTHER = 'conductor/failures';
const PAGES = ['/', `/${START}`, `/${OTHER}`, '/conductor/rpc', '/search'];
const KEEPING_MS_MAX = 60_000;
/** What the words beside the button say, give or take a third. */
const BYTES = { min: 11_000_000, max: 20_000_000 };

describe('the site on a reader’s device', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  afterEach(() => site.replace({}));

  const cacheNames = (page: Page): Promise<string[]> => page.evaluate<string[]>('caches.keys()');
  const workers = (page: Page): Promise<number> =>
    page.evaluate<number>('navigator.serviceWorker.getRegistrations().then(({ length }) => length)');

  const builtWorker = (): string => readFileSync(join(site.folder, 'offline.js'), 'utf8');

  /** The built worker with some of its files: all of them take ten seconds, which only the long tests spend. */
  function serveWorker(
    version: string,
    isWanted: (path: string) => boolean,
    others: Record<string, string> = {},
  ): void {
    const kept = keptIn(builtWorker());
    const paths = kept.paths.filter((path) => isWanted(path) || process.env['CONDUCTOR_TEST_FULL'] === '1');
    const worker = builtWorker().replace(JSON.stringify(kept), JSON.stringify({ version, paths }));
    site.replace({ ...others, '/offline.js': worker });
  }

  /** What a search fetches, as the service worker has to have it. */
  async function filesOfSearch(query: string): Promise<ReadonlySet<string>> {
    const folder = indexFolder(site.folder)!;
    const names = new Set<string>();
    const source = folderSource(folder);
    const index = await SearchIndex.open((name) => {
      names.add(`/${relative(site.folder, join(folder, name))}`);
      return source(name);
    });
    await find(index, { query });
    return names;
  }

  async function keep(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Keep this site offline' }).click();
    await page.getByText('Kept: pages and search work without a network.').waitFor({ timeout: KEEPING_MS_MAX });
  }

  test('is kept when it is asked for, opens and is searched without a network, and is forgotten when that is asked for', async () => {
    const page = await browser.newPage();
    site.takeRequests();
    await page.goto(site.url + START, { waitUntil: 'networkidle' });
    expect([await workers(page), await cacheNames(page)]).toEqual([0, []]);
    expect(site.takeRequests().filter((path) => path.includes('offline'))).toEqual([]);
    const searched = await filesOfSearch(QUERY);
    serveWorker('first', (path) => PAGES.includes(path) || /^\/assets\/[^/]+$/.test(path) || searched.has(path));
    await keep(page);

    site.takeRequests();
    await page.context().setOffline(true);
    await page.goto(site.url + OTHER);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Failure scenarios');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search the documentation' }).fill(QUERY);
    await page
      .getByRole('option', { name: /conductor_addServerAsVoter method/ })
      .first()
      .click();
    await page.waitForURL('**/conductor/rpc#conductor_addserverasvoter');
    await page.goto(`${site.url}nowhere`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not kept');
    // The browser looks for another worker by itself, whatever its pages are cut off from.
    expect(site.takeRequests().filter((path) => path !== '/offline.js')).toEqual([]);

    await page.context().setOffline(false);
    await page.goto(site.url + START);
    await page.getByRole('button', { name: 'Forget the offline copy' }).click();
    await page.getByText('Forgotten.').waitFor();
    expect([await workers(page), await cacheNames(page)]).toEqual([0, []]);
  });

  test('is never older than what is served, and a new version takes the place of the one before', async () => {
    const page = await browser.newPage();
    serveWorker('first', (path) => PAGES.includes(path));
    await page.goto(site.url + START);
    await keep(page);
    expect(await cacheNames(page)).toEqual(['site-first']);
    const changed = readFileSync(join(site.folder, OTHER, 'index.html'), 'utf8').replace(
      'Failure scenarios',
      'A new day',
    );
    const others = { [`/${OTHER}`]: changed };
    serveWorker('first', (path) => PAGES.includes(path), others);
    await page.goto(site.url + OTHER);
    expect(await page.title()).toContain('A new day');
    serveWorker('second', (path) => PAGES.includes(path), others);
    await page.goto(site.url + START);
    await expect.poll(() => cacheNames(page), { timeout: KEEPING_MS_MAX, interval: 100 }).toEqual(['site-second']);
    await page.context().setOffline(true);
    await page.goto(site.url + OTHER);
    expect(await page.title()).toContain('A new day');
  });

  test('takes as much room as is said, and has neither cards nor Markdown', () => {
    const { paths } = keptIn(builtWorker());
    expect(paths).toEqual(expect.arrayContaining(['/', `/${OTHER}`, '/search', '/icon.svg']));
    expect(paths.filter((path) => /^\/(?:404|500|cards)|\.(?:md|xml|txt)$/.test(path))).toEqual([]);
    const bytes = paths.map((path) => {
      const file = statSync(join(site.folder, path));
      return file.isFile() ? file.size : statSync(join(site.folder, path, 'index.html')).size;
    });
    const all = bytes.reduce((sum, size) => sum + size, 0);
    expect(all).toBeGreaterThan(BYTES.min);
    expect(all).toBeLessThan(BYTES.max);
  });
});

function keptIn(worker: string): { readonly version: string; readonly paths: readonly string[] } {
  const [, list = ''] = /^self\.keptFiles=(.*);$/m.exec(worker) ?? [];
  return JSON.parse(list) as { version: string; paths: string[] };
}
