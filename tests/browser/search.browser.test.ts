/** Search as a reader does it: by keyboard, on a phone, with a server that fails; in the built site, under its policies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const START = 'stack/getting-started';
const METHODS = '/conductor/rpc';
/** Scripts and headings: at 10 Mbit/s and 40 ms away they are there before a reader who points at the field has typed. */
const FIRST_ANSWER_BYTES_MAX = 62_000;
const SEARCH_FILES = /\/assets\/(dialog-|search\.worker-|search\/)/;

function fieldOf(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Search the documentation' });
}

function resultsOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Results' });
}

/** Waits for an expression to be true in the page. Asked from outside, because the page's policy forbids eval. */
async function until(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: 20_000 }).toBe(true);
}

describe('search', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  afterEach(() => site.refuse(null));

  async function open(
    options: BrowserContextOptions = {},
    path = START,
  ): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(site.url + path);
    return { page, complaints };
  }

  test('nothing of it is loaded before it is first opened, and then only files of the site', async () => {
    site.takeRequests();
    const { page } = await open();
    await page.waitForLoadState('networkidle');
    expect(site.takeRequests().filter((path) => SEARCH_FILES.test(path))).toEqual([]);
    const elsewhere: string[] = [];
    page.on('request', (request) => request.url().startsWith(site.url) || elsewhere.push(request.url()));
    await page.getByRole('button', { name: 'Search' }).first().click();
    await fieldOf(page).fill('raft');
    await resultsOf(page).getByRole('option').first().waitFor();
    const loaded = site.takeRequests().filter((path) => SEARCH_FILES.test(path));
    expect(loaded.filter((path) => path.endsWith('/head.json'))).toHaveLength(1);
    expect(loaded.filter((path) => path.includes('search.worker'))).toHaveLength(1);
    expect(elsewhere).toEqual([]);
  });

  test('the first answer takes few bytes and one round of requests, and none of it is React', async () => {
    const { page } = await open();
    await page.waitForLoadState('networkidle');
    site.takeRequests();
    await page.getByRole('button', { name: 'Search' }).first().hover();
    const opened = (): string[] => site.takeRequests().filter((path) => path.startsWith('/assets/'));
    const loaded: string[] = [];
    await expect.poll(() => loaded.push(...opened()) && loaded.some((path) => path.endsWith('/head.json'))).toBe(true);
    expect(
      loaded
        .map((path) =>
          path
            .replace(/-[\w-]{8}\.js$/, '')
            .split('/')
            .at(-1),
        )
        .toSorted(),
    ).toEqual(['dialog', 'head.json', 'search.worker']);
    const bytes = loaded.map((path) => gzipSync(readFileSync(join(site.folder, path))).length);
    expect(bytes.reduce((sum, more) => sum + more, 0)).toBeLessThanOrEqual(FIRST_ANSWER_BYTES_MAX);
    site.refuse(/\/search\/.*\/(letter|text|words)-?/);
    await page.keyboard.press('/');
    await fieldOf(page).fill('conductor_pau');
    await resultsOf(page).getByRole('option', { name: 'conductor_paused' }).first().waitFor();
  });

  test('what is typed while search is on its way is not lost', async () => {
    const { page } = await open();
    await page.keyboard.type('/raft.boot');
    await resultsOf(page).getByRole('option', { name: '--raft.bootstrap' }).first().waitFor();
    expect(await fieldOf(page).inputValue()).toBe('raft.boot');
  });

  test('by keyboard alone: opened by /, typed, chosen by arrows, followed by Enter to the heading', async () => {
    const { page, complaints } = await open();
    await page.keyboard.press('/');
    const field = fieldOf(page);
    await field.waitFor();
    await until(page, "document.activeElement?.getAttribute('role') === 'combobox'");
    await page.keyboard.type('addServerAs');
    await resultsOf(page).getByRole('option', { name: 'conductor_addServerAsVoter' }).first().waitFor();
    await page.locator('[role=status]', { hasText: 'the first is' }).waitFor({ state: 'attached' });
    const options = resultsOf(page).getByRole('option');
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await options.last().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const href = (await options.first().getAttribute('href')) ?? '';
    expect(href).toMatch(/^\/conductor\/rpc#conductor_addserveras/);
    expect(complaints).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${href}`);
    const slug = href.slice(href.indexOf('#') + 1);
    await until(page, `Math.abs(document.getElementById('${slug}').getBoundingClientRect().top) < innerHeight`);
  });

  test('a result on the same page closes the dialog and scrolls to its heading', async () => {
    const { page } = await open({}, METHODS.slice(1));
    await page.keyboard.press('Control+k');
    await fieldOf(page).fill('conductor_pause');
    await resultsOf(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${METHODS}#conductor_pause`);
    await fieldOf(page).waitFor({ state: 'hidden' });
    await until(
      page,
      "(({ top }) => top >= 0 && top < innerHeight / 2)(document.getElementById('conductor_pause').getBoundingClientRect())",
    );
    await until(page, "document.activeElement?.id === 'conductor_pause'");
    await page.keyboard.press('Tab');
    await until(
      page,
      "(({ top }) => top >= 0 && top < innerHeight)(document.activeElement.getBoundingClientRect()) && !document.activeElement.closest('header, nav')",
    );
  });

  test('the title above the results of a page leads to the page, for those who point at it', async () => {
    const { page } = await open();
    await page.keyboard.press('Control+k');
    await fieldOf(page).fill('conductor_pause');
    await resultsOf(page).getByText('JSON-RPC methods of Conductor').first().click();
    await page.waitForURL(`**${METHODS}`);
  });

  test('Esc closes and gives the focus back; what was typed is still there, selected, when it opens again', async () => {
    const { page } = await open();
    const opener = page.getByRole('button', { name: 'Search' }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    const field = fieldOf(page);
    await field.fill('withdrawal');
    await resultsOf(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await until(page, "document.activeElement?.matches('[data-search]') === true");
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await until(
      page,
      "document.activeElement?.getAttribute('role') === 'combobox' && getSelection()?.toString() === 'withdrawal'",
    );
  });

  test('a part of the site can be chosen; recent searches are offered again and can be forgotten', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    await fieldOf(page).fill('withdrawal fees');
    await resultsOf(page).getByRole('option').first().waitFor();
    await page.locator('[role=dialog] label', { hasText: 'OP Stack' }).click();
    await until(
      page,
      "[...document.querySelectorAll('[role=option]')].every((option) => option.getAttribute('href').startsWith('/stack'))",
    );
    const href = await resultsOf(page).getByRole('option').first().getAttribute('href');
    await resultsOf(page).getByRole('option').first().click();
    await page.waitForURL(`**${href}`);
    await page.keyboard.press('/');
    await page.getByRole('button', { name: 'withdrawal fees' }).click();
    await resultsOf(page).getByRole('option').first().waitFor();
    await fieldOf(page).fill('');
    await page.getByRole('button', { name: 'Forget these' }).click();
    expect(await page.getByRole('button', { name: 'withdrawal fees' }).count()).toBe(0);
  });

  test('on a phone it is a sheet of the window’s full height, and nothing is wider than the window', async () => {
    const { page } = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }, '');
    await page.getByRole('button', { name: 'Search' }).first().tap();
    await fieldOf(page).fill('OP_CONDUCTOR_HEALTHCHECK_UNSAFE_INTERVAL');
    await resultsOf(page).getByRole('option').first().waitFor();
    await until(
      page,
      "(({ x, y, width, height }) => x === 0 && y === 0 && width === innerWidth && height === innerHeight)(document.querySelector('[role=dialog]').getBoundingClientRect())",
    );
    expect(await page.evaluate("document.querySelector('[role=dialog]').scrollWidth <= innerWidth")).toBe(true);
    await resultsOf(page).getByRole('option').first().tap();
    await page.waitForURL('**/conductor/flags#*');
  });

  test('when the sections cannot be had it says so, and trying again works', async () => {
    const { page } = await open();
    site.refuse(/\/head\.json$/);
    await page.keyboard.press('/');
    await fieldOf(page).fill('raft');
    await page.getByText('Search could not be loaded').last().waitFor();
    site.refuse(null);
    await page.getByRole('button', { name: 'Try again' }).click();
    await resultsOf(page).getByRole('option').first().waitFor();
  });

  test('words that are nowhere get advice, misspelt ones are read, and both are announced', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    const field = fieldOf(page);
    await field.fill('xqzvw');
    await page.getByText('Nothing on this site answers “xqzvw”.').waitFor();
    await page.locator('[role=status]', { hasText: 'Nothing found for xqzvw.' }).waitFor({ state: 'attached' });
    await field.fill('condcutor');
    await resultsOf(page).getByRole('option').first().waitFor();
    await page
      .locator('[role=status]', { hasText: /the first is Conductor\. condcutor was read as conductor\./ })
      .waitFor({ state: 'attached' });
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in the dialog, %s', async (colorScheme) => {
    const { page } = await open({ colorScheme, reducedMotion: 'reduce' });
    await page.keyboard.press('/');
    await fieldOf(page).waitFor();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await fieldOf(page).fill('transfer leadership');
    await resultsOf(page).getByRole('option').first().waitFor();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  });
});
