/**
 * Nothing but files of the site is ever asked for, neither by pages of any kind nor by what readers do on them, workers
 * included; nothing is asked for after a page has loaded but the parts that a reader brings to life; and no page goes
 * against its own policy or complains on the console.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useBuiltSite } from './built-site.ts';
import { useOutsideTrap } from './outside-trap.ts';
import { pageTemplates } from './page-templates.ts';
import { useBrowser } from './suite.ts';

const CONDUCTOR = pageTemplates.conductor;
/** What a reader does, and which files of the site that may bring, by the beginnings of their names. */
const uses: Readonly<Record<string, readonly [path: string, files: RegExp, use: (page: Page) => Promise<unknown>]>> = {
  search: [
    'stack/components',
    /^\/assets\/(dialog-|search\.worker-|search\/)/,
    async (page) => {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search the documentation' }).fill('raft bootstrap');
      await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
    },
  ],
  'the live cluster': [
    CONDUCTOR,
    /^\/assets\/(LiveCluster-|use-width-|cluster-worker-|state-diagram-|react|jsx-|render-|rolldown-)/,
    async (page) => {
      await page.getByRole('button', { name: 'Start the cluster' }).click();
      await page.getByText('laws hold').waitFor();
      await page.getByRole('button', { name: 'Kill the leader' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.locator('[data-hash]').waitFor();
    },
  ],
  'the fee calculator': [
    'builders/tools/fee-calculator',
    /^\/assets\/(FeeCalculator-|react|jsx-|render-|rolldown-)/,
    async (page) => {
      await page.getByLabel('Transactions per day').fill('7000');
      await page.getByLabel('Data availability').selectOption('alt-da');
      await page.getByRole('region', { name: 'Recommendation' }).getByText('Alt-DA commitments').first().waitFor();
    },
  ],
  'a table': [
    'chain/tokenlist',
    /^\/assets\/(table-filter|copy-address)-/,
    async (page) => {
      await page.getByRole('searchbox', { name: 'Filter tokens' }).fill('usdc base');
      await page
        .getByRole('button', { name: /^Copy 0x/ })
        .first()
        .click();
    },
  ],
  tabs: ['conductor/rpc', /^$/, (page) => page.getByRole('tab', { name: 'cast' }).first().click()],
  'the theme, steps and copying': [
    CONDUCTOR,
    /^(\/assets\/state-diagram-|\/builders\/chain-operators\/tools\/op-conductor\.md$)/,
    async (page) => {
      await page.getByLabel('Theme').first().selectOption('dark');
      await page.locator('[data-step] [type=checkbox], [data-step] button').first().click();
      await page.getByRole('button', { name: 'Copy page' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
    },
  ],
};

describe('of the site’s own files only', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const trap = useOutsideTrap();
  let complaints: string[] = [];

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    complaints = [];
    trap.take();
    const page = await browser.newPage({ proxy: trap.proxy, ...options });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const isExpected = path === 'nowhere' && message.text().includes('404');
      if (message.type() === 'error' && !isExpected) complaints.push(message.text());
    });
    await page.addInitScript(`
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('policy: ' + violatedDirective + ' ' + blockedURI));
    `);
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    return page;
  }

  /** What has been asked for since the last call; an icon that a browser looks for by itself is no wish of the page. */
  const takePaths = (): string[] => site.takeRequests().filter((path) => path !== '/favicon.ico');

  function expectFiles(paths: readonly string[]): void {
    const isFile = (path: string): boolean =>
      ['', '.html', '/index.html'].some(
        (ending) => /\.\w+$/.test(path + ending) && existsSync(join(site.folder, path + ending)),
      );
    expect(paths.filter((path) => !isFile(path) && path !== '/nowhere')).toEqual([]);
  }

  afterEach(() => {
    expect(trap.take()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each(Object.entries(pageTemplates))('is a page of the kind of %s, looked at from top to end', async (_, path) => {
    site.takeRequests();
    const page = await open(path);
    const first = takePaths();
    expect(first[0]).toBe(`/${path}`);
    expectFiles(first);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.waitForLoadState('networkidle');
    const later = takePaths();
    expectFiles(later);
    expect(later.filter((asked) => !asked.startsWith('/assets/'))).toEqual([]);
  });

  it.each(Object.entries(uses))('is what using %s brings', async (_, [path, files, use]) => {
    const page = await open(path, { permissions: ['clipboard-read', 'clipboard-write'] });
    site.takeRequests();
    await use(page);
    await page.waitForLoadState('networkidle');
    const asked = takePaths();
    expectFiles(asked);
    expect(asked.filter((file) => !files.test(file))).toEqual([]);
  });
});

describe('the trap', () => {
  const browser = useBrowser();
  const trap = useOutsideTrap();

  it('notes what a page wants from elsewhere', async () => {
    const page = await browser.newPage({ proxy: trap.proxy });
    await page.goto('data:text/html,<img src="http://outside.test/a.png">');
    await expect.poll(() => trap.take()).toContainEqual(expect.stringContaining('outside.test'));
  });
});
