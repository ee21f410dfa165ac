/** Addresses and tokens: whole without a script, narrowed down by typing, copied by one press, shared by the address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const TOKENS = 'chain/tokenlist';
const data = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'content', 'data', name), 'utf8');
/** Every address in a text, in lower case. */
const addressesIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\b0x[0-9a-fA-F]{40}\b/g), ([address]) => address.toLowerCase()));
const wantedTokens = (): string => data('tokens.json');

/** The contracts and roles of all chains, on L1. */
function wantedContracts(): string {
  const { chains } = JSON.parse(data('chains.json')) as {
    readonly chains: readonly Readonly<Record<'addresses' | 'roles', Readonly<Record<string, string>>>>[];
  };
  return chains.flatMap(({ addresses, roles }) => Object.values({ ...addresses, ...roles })).join(' ');
}

describe('long tables', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site);

  it.each([
    [TOKENS, wantedTokens],
    ['chain/addresses', wantedContracts],
  ] as const)('/%s has every address of its data, and their date, without a script', async (path, wantedOf) => {
    const page = await open(path, { javaScriptEnabled: false });
    const text = await page.locator('main').innerText();
    const [shown, wanted] = [addressesIn(text), addressesIn(wantedOf())];
    expect(wanted.size).toBeGreaterThan(50);
    expect([...wanted].filter((address) => !shown.has(address))).toEqual([]);
    expect(text).toMatch(/\b20\d\d-\d\d-\d\d\b/);
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });

  it('show the rows that have all the words, and say how many', async () => {
    const page = await open(TOKENS);
    const field = page.getByRole('searchbox', { name: 'Filter tokens' });
    const rows = page.locator('[data-table-filter] tbody tr');
    const total = await rows.count();
    await page.getByRole('status').getByText(`${total} rows`).waitFor();
    await field.fill('  BASE   usd ');
    const visible = await rows.filter({ visible: true }).allInnerTexts();
    expect(visible.length).toBeGreaterThan(0);
    expect(visible.length).toBeLessThan(total);
    for (const row of visible) expect(row.toLowerCase()).toMatch(/(?=.*base)(?=.*usd)/s);
    await page.getByRole('status').getByText(`${visible.length} of ${total} rows`).waitFor();
    await field.fill('no such token');
    expect(await rows.filter({ visible: true }).count()).toBe(0);
    await field.fill('');
    expect(await rows.filter({ visible: true }).count()).toBe(total);
  });

  it('are narrowed down for whoever opens the address, too', async () => {
    const page = await open(TOKENS);
    await page.getByRole('searchbox').fill('weth mode');
    const again = await browser.newPage();
    await again.goto(page.url());
    await again.getByRole('searchbox').waitFor();
    expect(await again.getByRole('searchbox').inputValue()).toBe('weth mode');
    const rows = (one: Page): Promise<string[]> =>
      one.locator('[data-table-filter] tbody tr').filter({ visible: true }).allInnerTexts();
    expect(await rows(again)).toEqual(await rows(page));
    await page.getByRole('searchbox').fill('');
    expect(new URL(page.url()).search).toBe('');
  });

  it('are folded where rows begin alike: shut until pressed or found, all open without a script', async () => {
    const page = await open('chain/addresses');
    const table = page.locator('[data-table-filter]').first();
    const group = table.locator('[data-fold="Mode"]');
    const rows = group.locator('tr:has(td)');
    const button = group.getByRole('button', { name: /^Mode/ });
    await table.getByRole('status').getByText('groups').waitFor();
    expect(await rows.filter({ visible: true }).count()).toBe(0);
    await button.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await rows.filter({ visible: true }).count()).toBe(await rows.count());
    await table.getByRole('searchbox').fill('mode systemconfigproxy');
    expect(await table.locator('tr:has(td)').filter({ visible: true }).count()).toBe(1);
    const bare = await open('chain/addresses', { javaScriptEnabled: false });
    expect(await bare.locator('[data-fold="Mode"] tr:has(td)').filter({ visible: true }).count()).toBeGreaterThan(5);
  });

  it('have each its own place in the address, and say which other has what one lacks', async () => {
    const page = await open('chain/addresses');
    const fields = page.getByRole('searchbox');
    await fields.nth(1).fill('sepolia');
    // The address follows what is typed, by a message from Chromium.
    await expect.poll(() => new URL(page.url()).searchParams.get('filter2')).toBe('sepolia');
    expect(await fields.nth(0).inputValue()).toBe('');
    await fields.nth(0).fill('mode testnet');
    await page.getByRole('link', { name: /^Chains on Sepolia has \d+\.$/ }).click();
    expect(await fields.nth(1).inputValue()).toBe('mode testnet');
  });

  it('give an address by one press, as it stands', async () => {
    const page = await open(TOKENS, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('searchbox').fill('aave op mainnet');
    const row = page.locator('[data-table-filter] tbody tr').filter({ visible: true }).first();
    const address = await row.locator('td > code').first().innerText();
    const button = row.getByRole('button', { name: `Copy ${address}` });
    await button.focus();
    await page.keyboard.press('Enter');
    await row.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
  });

  it.each([
    [TOKENS, 1280],
    ['chain/addresses', 1280],
    [TOKENS, 390],
    ['chain/addresses', 390],
    [TOKENS, 320],
    ['chain/addresses', 320],
  ])('/%s shows addresses and their buttons whole in a window %d wide', async (path, width) => {
    const page = await open(path, { viewport: { width, height: 800 } });
    await page.locator('.copy-address').first().waitFor();
    const cut = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('[data-table-filter] [data-address], .copy-address')]
      .filter((one) => one.getBoundingClientRect().right > one.closest('[data-scrolls]').getBoundingClientRect().right + 0.5)
      .map((one) => one.textContent)`);
    expect(cut).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('keep their heads in sight, in a narrow window those that scroll sideways, too', async () => {
    const desk = await open('chain/addresses', { viewport: { width: 1280, height: 800 } });
    await desk.locator('[data-table-filter] [data-fits]').first().waitFor();
    await desk.getByRole('searchbox').first().fill('proxy');
    await desk.locator('[data-table-filter] [data-found] tr:not([hidden])').nth(100).scrollIntoViewIfNeeded();
    const head = await desk.locator('[data-table-filter] th').first().boundingBox();
    expect(head?.y).toBeGreaterThan(0);
    expect(head?.y).toBeLessThan(100);
    const phone = await open('chain/addresses', { viewport: { width: 660, height: 400 } });
    const box = phone.locator('[data-scrolls][data-overflows]').first();
    await box.evaluate((element) => element.scrollTo({ top: 150 }));
    const [outer, inner] = [await box.boundingBox(), await box.locator('th').nth(1).boundingBox()];
    expect(inner?.y).toBeCloseTo(outer?.y ?? Number.NaN, 0);
    expect(outer?.height).toBeLessThan(400);
  });

  it('of sentences are lists on phones: every column in sight, each under its name', async () => {
    const page = await open('conductor/failures#scenarios', {
      viewport: { width: 390, height: 844 },
    });
    const cell = page.locator('td[data-column="What you do"]').first();
    const box = await cell.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 1_000)).toBeLessThanOrEqual(390);
    const label = `getComputedStyle(document.querySelector('td[data-column="What you do"]'), '::before').display`;
    expect(await page.evaluate(label)).toBe('block');
  });
});
