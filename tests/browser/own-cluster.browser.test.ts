/** The reader's own servers: entered once, in every command, kept in the browser and sent nowhere; steps for each. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const CONDUCTOR = 'builders/chain-operators/tools/op-conductor';

describe('the reader’s own servers', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site);

  async function enter(page: Page, opener = 'Your servers'): Promise<void> {
    await page.getByRole('button', { name: opener, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your servers' });
    for (const [at, host] of ['paris.example', '10.0.0.7', 'oslo.example'].entries())
      await dialog.getByLabel('Conductor', { exact: true }).nth(at).fill(host);
    await dialog.getByLabel('Server id').nth(1).fill('rome');
    await dialog.getByLabel('Conductor’s RPC').fill('18547');
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Fill in' }).click();
  }

  it('are in the commands of every page once they are entered, are sent nowhere, and are forgotten when asked', async () => {
    const page = await open(CONDUCTOR);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await enter(page);
    const filled = page.locator('[data-code] .own');
    await filled.first().waitFor();
    const text = await page.locator('.prose').innerText();
    expect(text).toContain('cast rpc conductor_pause --rpc-url http://oslo.example:18547');
    expect(text).toContain('cast rpc conductor_addServerAsVoter');
    expect(text).toContain('echo 10.0.0.7;;');
    expect(text).not.toContain('http://conductor-2:8547');

    await page.goto(`${site.url}conductor/migration`);
    await filled.first().waitFor();
    const stepper = page.locator('[data-per-server]');
    await stepper.getByRole('checkbox').nth(0).check();
    await stepper.getByRole('button', { name: 'sequencer-0: 1 of 4' }).waitFor();
    await stepper.getByRole('button', { name: 'rome: not begun' }).click();
    expect(await stepper.getByRole('checkbox').nth(0).isChecked()).toBe(false);
    expect(await stepper.innerText()).toContain('--rpc-url http://10.0.0.7:18547');
    expect(await page.getByLabel('Working on').inputValue()).toBe('1');
    await page.reload();
    await stepper.getByRole('button', { name: 'sequencer-0: 1 of 4' }).click();
    expect(await stepper.getByRole('checkbox').nth(0).isChecked()).toBe(true);

    await page.getByRole('button', { name: 'Change your servers' }).click();
    await page.getByRole('button', { name: 'Forget them' }).click();
    expect(await filled.count()).toBe(0);
    expect(await stepper.innerText()).toContain('http://127.0.0.1:8547');
    expect(await page.evaluate("localStorage.getItem('cluster')")).toBeNull();
    expect(asked.filter((request) => /paris|rome|oslo|10\.0\.0\.7|18547/.test(request))).toEqual([]);
  });

  it('are entered from beside the heading of an alert, and the first command names them', async () => {
    const page = await open('conductor/runbooks/leadership#conductornoleader');
    await enter(page, 'Fill in your servers');
    const command = page.locator('[data-code]', { hasText: 'conductor status' }).first();
    await command.locator('.own').waitFor();
    expect(await command.locator('pre').innerText()).toContain(
      'conductor status --rpc sequencer-0=http://paris.example:18547,rome=http://10.0.0.7:18547,',
    );
  });

  it('remember where one is in a canary', async () => {
    const page = await open(`${CONDUCTOR}#post-conductor-launch-deployments`);
    const canary = page.locator('ol[data-steps^="choose-a-follower"]');
    await canary.getByRole('checkbox').nth(1).check();
    await page.reload();
    expect(await canary.getByRole('checkbox').nth(1).isChecked()).toBe(true);
    expect(await canary.locator('li[data-done]').count()).toBe(1);
  });
});
