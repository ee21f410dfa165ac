/** The fee calculator as a reader uses it, in the built site: typing, sharing, mistakes, starting over, no script. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const PATH = 'builders/tools/fee-calculator';

describe('the fee calculator', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  async function open(query = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${site.url}${PATH}${query}`);
    await page.getByLabel('Transactions per day').waitFor();
    return page;
  }
  const results = (page: Page): Locator => page.getByRole('region', { name: 'Recommendation' });
  const scalar = (page: Page, name: string): Promise<string> =>
    results(page).getByRole('row', { name }).locator('td').first().innerText();

  it('starts with the numbers that its page has without a script', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(site.url + PATH);
    const row = plain.getByRole('row', { name: /^General OP Mainnet blobs/ }).locator('td');
    const [, , blob, base] = await row.allInnerTexts();
    const page = await open();
    expect(await scalar(page, 'l1BlobBaseFeeScalar')).toBe(blob);
    expect(await scalar(page, 'l1BaseFeeScalar')).toBe(base);
  });

  it('has a row for each kind of chain without a script, and no form that would not work', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(site.url + PATH);
    for (const chain of ['General OP Mainnet', 'Base', 'Zora', 'Mint', 'Mode']) {
      expect(await plain.getByRole('row', { name: new RegExp(`^${chain} (blobs|Alt-DA)`) }).count()).toBe(2);
    }
    expect(await plain.locator('main form').count()).toBe(0);
  });

  it('follows every key, without a button', async () => {
    const page = await open();
    const before = await results(page).innerText();
    await page.getByLabel('Target margin').fill('50');
    const wider = await results(page).innerText();
    expect(wider).not.toBe(before);
    await page.getByLabel('L1 base fee').fill('0.001');
    await page.getByLabel('Blob base fee').fill('900');
    expect(await results(page).innerText()).toContain('L1 calldata');
    await page.getByLabel('Data availability').selectOption('alt-da');
    expect(await results(page).innerText()).toContain('Alt-DA commitments');
    expect(await scalar(page, 'l1BlobBaseFeeScalar')).toBe('0');
  });

  it('is in the address, which shows anybody the same', async () => {
    const page = await open();
    await page.getByLabel('Transactions per day').fill('4321');
    await page.getByLabel('Transactions are like those of').selectOption('Zora');
    await page.getByLabel('Fault proofs', { exact: true }).selectOption('no');
    const { search } = new URL(page.url());
    expect(new URLSearchParams(search).get('transactionsPerDay')).toBe('4321');
    const again = await open(search);
    expect(await again.getByLabel('Transactions are like those of').inputValue()).toBe('Zora');
    expect(await results(again).innerText()).toBe(await results(page).innerText());
    expect(new URL(again.url()).search).toBe(search);
  });

  it('starts over by one press', async () => {
    const page = await open();
    const before = await results(page).innerText();
    const reset = page.getByRole('button', { name: 'Start over' });
    expect(await reset.isDisabled()).toBe(true);
    await page.getByLabel('One ETH in USD').fill('1');
    expect(await results(page).innerText()).not.toBe(before);
    await reset.click();
    expect(await results(page).innerText()).toBe(before);
    expect(await page.getByLabel('One ETH in USD').inputValue()).toBe('3000');
    expect(new URL(page.url()).search).toBe('');
  });

  it.each([
    ['Transactions per day', '0', 'from 1 to'],
    ['Transactions per day', '1.5', 'whole number'],
    ['Target margin', '100', 'from 0 to 99'],
    ['One ETH in USD', 'a lot', 'Enter a number'],
    ['Longest channel', '', 'Enter a number'],
  ])('says what is wrong with %s = “%s”, and keeps the last results', async (label, text, complaint) => {
    const page = await open();
    const before = await scalar(page, 'l1BaseFeeScalar');
    const field = page.getByLabel(label);
    await field.fill(text);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const hint = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
    expect(await hint.innerText()).toContain(complaint);
    expect(await results(page).innerText()).toContain('last values that were in range');
    expect(await scalar(page, 'l1BaseFeeScalar')).toBe(before);
  });

  it('shows nothing for half a number: what was good before stays until the whole is', async () => {
    const page = await open();
    const before = await scalar(page, 'l1BaseFeeScalar');
    const field = page.getByLabel('Transactions per day');
    await field.fill('');
    await field.pressSequentially('1,000,00');
    expect(await scalar(page, 'l1BaseFeeScalar')).toBe(before);
    expect(new URL(page.url()).search).toBe('');
    await field.press('0');
    expect(await scalar(page, 'l1BaseFeeScalar')).not.toBe(before);
    expect(await results(page).innerText()).not.toContain('last values that were in range');
    expect(new URL(page.url()).search).toBe('?transactionsPerDay=1000000');
  });

  it('says which values of an address cannot be, until something is changed', async () => {
    const page = await open('?marginPercent=100');
    const refusal = page.getByText('The address has “100” for “Target margin, %”');
    await refusal.waitFor();
    await page.getByLabel('Target margin').fill('7');
    expect(await refusal.count()).toBe(0);
  });

  it('takes an address that was tampered with for what can be read of it', async () => {
    const page = await open('?transactionsPerDay=%3Cb%3E&dataAvailability=moon&nonsense=1&__proto__=x');
    expect(await page.getByLabel('Data availability').inputValue()).not.toBe('moon');
    expect(await results(page).innerText()).not.toContain('NaN');
  });

  it.each(['light', 'dark'] as const)('is accessible, with a mistake in it, too: %s', async (colorScheme) => {
    const page = await open('', { colorScheme, viewport: { width: 390, height: 844 } });
    expect(await axeViolations(page, 'site-island')).toEqual([]);
    await page.getByLabel('Target margin').fill('never');
    expect(await axeViolations(page, 'site-island')).toEqual([]);
  });
});
